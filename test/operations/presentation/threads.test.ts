import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import type { GatewayServices } from '../../../src/gateway/gateway-services.ts';
import { type AnswerBody, wholeBody } from '../../../src/gateway/http/answers.ts';
import { presentationLimits } from '../../../src/operations/presentation/limits.ts';
import { TimeSlices } from '../../../src/services/time-slices.ts';
import type { Post } from '../../support/acts.ts';
import type { Person } from '../../support/observer.ts';
import { People } from '../../support/people.ts';
import { presenting } from '../../support/presenting.ts';

let people: People;
let services: GatewayServices;
let alice: Person;
let bob: Person;
let carol: Person;

function meet(): void {
  people = new People();
  services = presenting(people.server);
  alice = people.local('alice');
  bob = people.local('bob');
  carol = people.local('carol');
}

beforeEach(meet);

interface Shown {
  readonly id: string;
  readonly visibility: string;
}

const textOf = (body: AnswerBody) => Buffer.from(wholeBody(body)).toString();

function walk(post: Post, by?: Person) {
  const known = services.presenter.status(post.id)!;
  const steps = services.answers.context(known, by?.id);
  for (let slices = 1; ; slices += 1) {
    const step = steps.next();
    if (!step.done) continue;
    const thread = JSON.parse(textOf(step.value)) as Record<'ancestors' | 'descendants', Shown[]>;
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
    root = await people.publish(alice);
    first = await people.publish(bob, { replyTo: root });
    second = await people.publish(carol, { replyTo: root });
    firstOfFirst = await people.publish(alice, { replyTo: first });
    last = await people.publish(bob, { replyTo: firstOfFirst });
  });

  test('goes from the root down, and depth first', () => {
    expect(threadIds(root)).toEqual({ ancestors: [], descendants: ids(first, firstOfFirst, last, second) });
    expect(threadIds(firstOfFirst)).toEqual({ ancestors: ids(root, first), descendants: ids(last) });
    expect(threadIds(last)).toEqual({ ancestors: ids(root, first, firstOfFirst), descendants: [] });
  });

  test('shows the replies of authors to themselves first, when it is walked and when that is remembered', async () => {
    const two = await people.publish(alice, { replyTo: root });
    const answer = await people.publish(carol, { replyTo: two });
    const three = await people.publish(alice, { replyTo: two });
    const own = await people.publish(bob, { replyTo: last });
    for (let time = 0; time < 2; time += 1)
      expect(threadIds(root).descendants).toEqual(ids(own, two, three, first, firstOfFirst, last, second, answer));
  });

  test('leaves out what is deleted, with what hung on it', async () => {
    await people.remove(firstOfFirst);
    expect(threadIds(root).descendants).toEqual(ids(first, second));
    expect(threadIds(last).ancestors).toEqual([]);
  });

  test.each([
    'blocker',
    'blocked',
  ] as const)('leaves out the statuses of the other side for a %s, not what hangs on them', async (role) => {
    await (role === 'blocker' ? people.block(carol, bob) : people.block(bob, carol));
    expect(threadIds(root, carol).descendants).toEqual(ids(firstOfFirst, second));
    expect(threadIds(last, alice).ancestors).toEqual(ids(root, first, firstOfFirst));
    expect(threadIds(firstOfFirst, carol).ancestors).toEqual(ids(root));
  });

  test.each([
    'is read for the first time',
    'was read before',
  ])('leaves out the statuses of a suspended account, not what hangs on them, where it %s', (when) => {
    if (when === 'was read before') threadIds(root);
    people.suspend(bob);
    expect(threadIds(root).descendants).toEqual(ids(firstOfFirst, second));
    expect(threadIds(firstOfFirst)).toEqual({ ancestors: ids(root), descendants: [] });
    people.say(Account.changeLogin.to(bob.id, { suspended: false }));
    expect(threadIds(root).descendants).toEqual(ids(first, firstOfFirst, last, second));
  });

  test('that is known is not walked again until one of its statuses is another one', async () => {
    const walked = () => {
      const lookedUp = vi.spyOn(services.presenter.threads, 'status');
      const { descendants } = threadIds(root, carol);
      const count = lookedUp.mock.calls.length;
      lookedUp.mockRestore();
      return { descendants, isAnew: count > 0 };
    };
    const whole = ids(first, firstOfFirst, last, second);
    expect(walked()).toEqual({ descendants: whole, isAnew: true });
    expect(walked()).toEqual({ descendants: whole, isAnew: false });
    const end = await people.publish(carol, { replyTo: last });
    expect(walked()).toEqual({ descendants: ids(first, firstOfFirst, last, end, second), isAnew: true });
    await people.favourite(carol, firstOfFirst);
    expect(walked().descendants).toEqual(ids(first, firstOfFirst, last, end, second));
    expect(walked().isAnew).toBe(false);
    await people.remove(firstOfFirst);
    expect(walked().descendants).toEqual(ids(first, second));
  });

  test('leaves out the statuses of muted accounts, but not around one of theirs', async () => {
    await people.mute(carol, bob);
    expect(threadIds(root, carol).descendants).toEqual(ids(firstOfFirst, second));
    expect(threadIds(firstOfFirst, carol)).toEqual({ ancestors: ids(root), descendants: [] });
    expect(threadIds(first, carol)).toEqual({ ancestors: ids(root), descendants: ids(firstOfFirst, last) });
    expect(threadIds(last, carol).ancestors).toEqual(ids(root, first, firstOfFirst));
    expect(threadIds(root, alice).descendants).toEqual(ids(first, firstOfFirst, last, second));
  });

  test('shows limited accounts to their followers only', async () => {
    people.moderate(bob, { limited: true });
    await people.follow(carol, bob);
    expect(threadIds(root).descendants).toEqual(ids(firstOfFirst, second));
    expect(threadIds(root, carol).descendants).toEqual(ids(first, firstOfFirst, last, second));
    expect(threadIds(root, bob).descendants).toEqual(ids(first, firstOfFirst, last, second));
  });
});

test('the answers to one status are listed in slices, however many they are', async () => {
  const answers = 600;
  const root = await people.publish(alice);
  const posts: Post[] = [];
  for (let number = 0; number < answers; number += 1) posts.push(await people.publish(bob, { replyTo: root }));
  const { read } = people.server;
  let listed = 0;
  const range = read.range.bind(read);
  vi.spyOn(read, 'range').mockImplementation(function* (...given) {
    for (const entry of range(...given)) {
      listed += 1;
      yield entry;
    }
  } as typeof read.range);
  const steps = services.answers.context(services.presenter.status(root.id)!, undefined);
  const listedBySlice: number[] = [];
  let body: string | undefined;
  while (body === undefined) {
    listed = 0;
    const step = steps.next();
    listedBySlice.push(listed);
    if (step.done) body = textOf(step.value);
  }
  vi.restoreAllMocks();
  expect(Math.max(...listedBySlice)).toBe(presentationLimits.statusesPerSlice);
  expect(listedBySlice.reduce((sum, count) => sum + count)).toBe(answers);
  const { descendants } = JSON.parse(body) as { descendants: Shown[] };
  expect(descendants.map(({ id }) => BigInt(id))).toEqual(ids(...posts));
});

test('what a viewer has to do with the statuses is read for many of them at once', async () => {
  const root = await people.publish(alice);
  const posts: Post[] = [];
  for (let number = 0; number < 48; number += 1) posts.push(await people.publish(bob, { replyTo: root }));
  for (const index of [20, 40]) await people.favourite(carol, posts[index]!);
  walk(root);
  const range = vi.spyOn(people.server.read, 'range');
  const shown = walk(root, carol).thread.descendants as (Shown & { favourited: boolean })[];
  const ranges = range.mock.calls.length;
  vi.restoreAllMocks();
  expect(shown.map(({ favourited }) => favourited)).toEqual(posts.map((_, index) => [20, 40].includes(index)));
  expect(ranges).toBeGreaterThan(0);
  expect(ranges).toBeLessThan(posts.length / 2);
});

test.each([
  ['nobody', undefined, []],
  ['the author', 'bob', ['private', 'direct']],
  ['the mentioned account', 'alice', ['private', 'direct']],
  ['a follower', 'carol', ['private']],
] as const)('replies that are not for everybody are shown to %s as far as they may see them', async (_who, name, seen) => {
  await people.follow(carol, bob);
  const root = await people.publish(alice);
  for (const visibility of ['private', 'direct'] as const)
    await people.publish(bob, { replyTo: root, visibility, mentions: [alice] });
  const by = [alice, bob, carol].find((person) => person.name === name);
  expect(walk(root, by).thread.descendants.map(({ visibility }) => visibility)).toEqual(seen);
});

describe('a long thread', () => {
  const { readsPerSlice, statusesPerSlice, statusesAtOnce } = presentationLimits;
  /** What is read at most for a status that nothing is known of: itself, its author, its answers, what it is to a viewer. */
  const readsOfStatusMax = 20;
  const answers = 300;
  let posts: Post[];

  async function write(): Promise<void> {
    posts = [await people.publish(alice)];
    for (let number = 0; number < answers; number += 1)
      posts.push(await people.publish(number % 2 === 0 ? bob : alice, { replyTo: posts.at(-1)! }));
  }

  /** That nobody answers any more. */
  let written: { people: People; alice: Person; bob: Person; carol: Person; posts: Post[] };

  beforeAll(async () => {
    meet();
    await write();
    written = { people, alice, bob, carol, posts };
  });

  beforeEach(() => {
    ({ people, alice, bob, carol, posts } = written);
    services = presenting(people.server);
  });

  /** How much each slice reads. */
  function readsOfSlices(by: Person | undefined): number[] {
    const steps = services.answers.context(services.presenter.status(posts[0]!.id)!, by?.id);
    const reads: number[] = [];
    for (let isDone = false; !isDone; ) {
      const before = people.server.read.readCount;
      isDone = steps.next().done === true;
      reads.push(people.server.read.readCount - before);
    }
    return reads;
  }

  test('is whole, upwards and downwards', () => {
    expect(walk(posts[0]!).thread.descendants).toHaveLength(answers);
    expect(threadIds(posts.at(-1)!).ancestors).toEqual(ids(...posts.slice(0, -1)));
  });

  test('is read in slices, whoever looks: nobody else waits for more than one of them', async () => {
    const filter = { title: 'Cats', contexts: ['thread' as const], action: 'warn' as const };
    await people.server.call(Account.changeFilter.to(carol.id, { changes: filter, keywords: [{ keyword: 'cat' }] }));
    for (const viewer of [undefined, bob, carol]) {
      const reads = readsOfSlices(viewer);
      expect(Math.max(...reads)).toBeLessThan(readsPerSlice + statusesAtOnce * readsOfStatusMax);
      expect(reads.length).toBeGreaterThan(answers / statusesPerSlice);
    }
    expect(readsOfSlices(people.local('dave', { partition: 1 })).length).toBeGreaterThan(answers / statusesPerSlice);
  });

  const read = async (slices: TimeSlices, by?: Person) => {
    const body = await slices.run(services.answers.context(services.presenter.status(posts[0]!.id)!, by?.id));
    return (JSON.parse(textOf(body)) as Record<'descendants', Shown[]>).descendants;
  };

  test('is walked once for all who read it at the same time', async () => {
    const kept = vi.spyOn(services.presenter.threads, 'keepWalked');
    const slices = new TimeSlices();
    const all = await Promise.all([undefined, alice, bob, carol].map((by) => read(slices, by)));
    expect(kept).toHaveBeenCalledTimes(1);
    for (const descendants of all) expect(descendants).toHaveLength(answers);
  });

  test('that gets an answer while somebody walks through it is whole for who comes after it', async () => {
    meet();
    await write();
    const slices = new TimeSlices();
    const before = read(slices);
    const late = await people.publish(carol, { replyTo: posts.at(-1)! });
    const after = await Promise.all([read(slices, bob), read(slices, carol)]);
    for (const descendants of after) expect(descendants.map(({ id }) => BigInt(id))).toContain(late.id);
    expect((await before).length).toBeGreaterThanOrEqual(answers);
  });

  test('is walked through by others when who began does not go on', () => {
    const left = services.answers.context(services.presenter.status(posts[0]!.id)!, undefined);
    left.next();
    expect(walk(posts[0]!, bob).thread.descendants).toHaveLength(answers);
    left.return([]);
    expect(services.presenter.threads.underWay.size).toBe(0);
  });

  test('that is known takes few slices', () => {
    walk(posts[0]!);
    expect(walk(posts[0]!).slices).toBeLessThanOrEqual(2 * Math.ceil(answers / statusesPerSlice) + 1);
  });

  test('is whole although other answers are encoded between its slices', () => {
    const whole = JSON.stringify(walk(posts[0]!).thread);
    const steps = services.answers.context(services.presenter.status(posts[0]!.id)!, undefined);
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done) {
        expect(JSON.stringify(JSON.parse(textOf(step.value)))).toBe(whole);
        return;
      }
      services.answers.list([]);
      services.answers.status(services.presenter.one(posts[1]!.id, undefined, 'thread')!);
    }
  });
});

test('replies that claim each other as their parent end', async () => {
  const dave = people.remote('dave', 'there.test');
  const one = await people.receive(dave, 'https://there.test/1');
  const two = await people.receive(dave, 'https://there.test/2', { replyTo: one });
  people.say(Account.repliedTo.to(dave.id, { by: dave.id, statusId: two.id, replyId: one.id }));
  expect(threadIds(two)).toEqual({ ancestors: ids(one), descendants: ids(one) });
});
