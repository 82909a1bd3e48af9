import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { profileChanged } from '../../../src/actors/account/profile/profile.events.ts';
import { profiles } from '../../../src/actors/account/profile/profile.state.ts';
import type { GatewayServices } from '../../../src/gateway/gateway-services.ts';
import { presentationLimits } from '../../../src/operations/presentation/limits.ts';
import { Circle, type Post } from '../../support/circle.ts';
import type { Person } from '../../support/observer.ts';
import { presenting } from '../../support/presenting.ts';

let circle: Circle;
let services: GatewayServices;
let alice: Person;
let bob: Person;
let carol: Person;

beforeEach(async () => {
  circle = new Circle();
  services = presenting(circle.server);
  alice = await circle.local('alice', 0);
  bob = await circle.local('bob', 1);
  carol = await circle.local('carol', 0);
});

interface Shown {
  readonly id: string;
  readonly visibility: string;
}

function walk(post: Post, by?: Person) {
  const known = services.presenter.status(post.id)!;
  const steps = services.answers.context(known, by?.id);
  for (let slices = 1; ; slices += 1) {
    const step = steps.next();
    if (!step.done) continue;
    const thread = JSON.parse(step.value.toString()) as Record<'ancestors' | 'descendants', Shown[]>;
    return { thread, slices };
  }
}

function threadIds(post: Post, by?: Person) {
  const { ancestors, descendants } = walk(post, by).thread;
  return { ancestors: ancestors.map(({ id }) => BigInt(id)), descendants: descendants.map(({ id }) => BigInt(id)) };
}

const ids = (...posts: Post[]) => posts.map(({ id }) => id);

describe('a thread over two partitions', () => {
  let root: Post;
  let first: Post;
  let firstOfFirst: Post;
  let second: Post;
  let last: Post;

  beforeEach(async () => {
    root = await circle.publish(alice);
    first = await circle.publish(bob, { replyTo: root });
    second = await circle.publish(carol, { replyTo: root });
    firstOfFirst = await circle.publish(alice, { replyTo: first });
    last = await circle.publish(bob, { replyTo: firstOfFirst });
  });

  test('goes from the root down, and depth first', () => {
    expect(threadIds(root)).toEqual({ ancestors: [], descendants: ids(first, firstOfFirst, last, second) });
    expect(threadIds(firstOfFirst)).toEqual({ ancestors: ids(root, first), descendants: ids(last) });
    expect(threadIds(last)).toEqual({ ancestors: ids(root, first, firstOfFirst), descendants: [] });
  });

  test('leaves out what is deleted, with what hung on it', async () => {
    await circle.remove(firstOfFirst);
    expect(threadIds(root).descendants).toEqual(ids(first, second));
    expect(threadIds(last).ancestors).toEqual([]);
  });

  test.each([
    'blocker',
    'blocked',
  ] as const)('leaves out the statuses of the other side for a %s, not what hangs on them', async (role) => {
    await (role === 'blocker' ? circle.block(carol, bob) : circle.block(bob, carol));
    expect(threadIds(root, carol).descendants).toEqual(ids(firstOfFirst, second));
    expect(threadIds(last, alice).ancestors).toEqual(ids(root, first, firstOfFirst));
    expect(threadIds(firstOfFirst, carol).ancestors).toEqual(ids(root));
  });

  test('keeps the statuses of muted accounts', async () => {
    await circle.mute(carol, bob);
    expect(threadIds(root, carol).descendants).toEqual(ids(first, firstOfFirst, last, second));
  });

  test('shows limited accounts to their followers only', async () => {
    circle.server.turn(Account.actor, bob.id, (turn) => {
      turn.put(profiles, [bob.id], { ...turn.get(profiles, [bob.id])!, limited: true });
      turn.emit(profileChanged, { accountId: bob.id });
    });
    await circle.follow(carol, bob);
    expect(threadIds(root).descendants).toEqual(ids(firstOfFirst, second));
    expect(threadIds(root, carol).descendants).toEqual(ids(first, firstOfFirst, last, second));
    expect(threadIds(root, bob).descendants).toEqual(ids(first, firstOfFirst, last, second));
  });
});

test.each([
  ['nobody', undefined, []],
  ['the author', 'bob', ['private', 'direct']],
  ['the mentioned account', 'alice', ['private', 'direct']],
  ['a follower', 'carol', ['private']],
] as const)('replies that are not for everybody are shown to %s as far as they may see them', async (_who, name, seen) => {
  await circle.follow(carol, bob);
  const root = await circle.publish(alice);
  for (const visibility of ['private', 'direct'] as const)
    await circle.publish(bob, { replyTo: root, visibility, mentions: [alice] });
  const by = [alice, bob, carol].find((person) => person.name === name);
  expect(walk(root, by).thread.descendants.map(({ visibility }) => visibility)).toEqual(seen);
});

test('a long thread is read in slices', async () => {
  const posts = [await circle.publish(alice)];
  for (let number = 0; number < 600; number += 1)
    posts.push(await circle.publish(number % 2 === 0 ? bob : alice, { replyTo: posts.at(-1)! }));
  const down = walk(posts[0]!);
  expect(down.thread.descendants).toHaveLength(600);
  expect(down.slices).toBeGreaterThan(600 / presentationLimits.threadReadsPerSlice);
  expect(walk(posts[0]!)).toMatchObject({ slices: Math.ceil(600 / presentationLimits.threadStatusesPerSlice) * 2 - 1 });
  const up = walk(posts.at(-1)!);
  expect(up.thread.ancestors.map(({ id }) => BigInt(id))).toEqual(ids(...posts.slice(0, -1)));
});

test('a circle of claims ends', async () => {
  const dave = await circle.remote('dave', 'there.test', 1);
  const one = await circle.receive(dave, 'https://there.test/1');
  const two = await circle.receive(dave, 'https://there.test/2', { replyTo: one });
  circle.say(Account.repliedTo.to(dave.id, { by: dave.id, statusId: two.id, replyId: one.id }));
  expect(threadIds(two)).toEqual({ ancestors: ids(one), descendants: ids(one) });
});
