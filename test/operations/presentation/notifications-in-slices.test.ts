/** Notifications of many senders of whom nothing is in memory are read in slices, and decided about in the last one. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { addNotification } from '../../../src/actors/account/notifications/notify.ts';
import type { GroupedType } from '../../../src/actors/policy/notification-groups.ts';
import type { GatewayServices } from '../../../src/gateway/gateway-services.ts';
import { isInPieces, wholeBody } from '../../../src/gateway/http/answers.ts';
import { presentationLimits } from '../../../src/operations/presentation/limits.ts';
import { block } from '../../support/acts.ts';
import type { Person } from '../../support/observer.ts';
import { People } from '../../support/people.ts';
import { presenting } from '../../support/presenting.ts';

const { readsPerSlice, notificationsAtOnce, groupSamplesMax, notificationsKeptMax } = presentationLimits;
/** Of one sender, and of the list itself. */
const readsOfSenderMax = 4;
const readsOfListMax = 8;
/** More than are cached of a list. */
const senderCount = notificationsKeptMax + 60;
const follows: ReadonlySet<GroupedType> = new Set(['follow']);
const nothing: ReadonlySet<GroupedType> = new Set();
const bounds = { limit: 80 };
const everything = { choice: {}, grouped: nothing, sinceId: undefined, countMax: 1_000, lookedMax: 1_000 };

let people: People;
let alice: Person;
let senders: Person[];
let services: GatewayServices;

function meet(): void {
  people = new People();
  alice = people.local('alice');
  senders = Array.from({ length: senderCount }, (_, number) => people.remote(`sender${number}`, 'there.example'));
  people.server.turn(Account.actor, alice.id, (turn) => {
    for (const { id } of senders) addNotification(turn, { type: 'follow', fromId: id });
  });
  people.server.settle();
}

// Most tests only read, with empty caches.
beforeAll(meet);

beforeEach(() => {
  services = presenting(people.server);
});

/** What the steps make, and how much each slice reads. */
function inSlices<Made>(steps: Generator<undefined, Made>, between: () => void = () => undefined) {
  const reads: number[] = [];
  for (;;) {
    const before = people.server.read.readCount;
    const { done, value } = steps.next();
    reads.push(people.server.read.readCount - before);
    if (done) return { made: value, reads };
    between();
  }
}

const newest = () => services.notifications.newest(alice.id);
const groups = () => services.notificationGroups;

type Works = (given?: { grouped: ReadonlySet<GroupedType> }) => Generator<undefined, unknown>;

describe.each<[string, Works]>([
  ['a page', () => services.notifications.pageInSlices(alice.id, {}, bounds)],
  ['a page of groups', () => groups().pageInSlices(alice.id, {}, follows, bounds)],
  ['a page of groups, upwards', () => groups().pageInSlices(alice.id, {}, follows, { ...bounds, minId: 1n })],
  ['a count', () => groups().countNewerInSlices(alice.id, everything)],
  ['a whole group', () => groups().oneInSlices(alice.id, newest().entries[0]!.groupKey)],
])('%s', (_what, work) => {
  test('is read some at a time', () => {
    const { reads } = inSlices(work());
    expect(reads.length).toBeGreaterThan(2);
    const most = readsPerSlice + notificationsAtOnce * readsOfSenderMax + readsOfListMax;
    for (const count of reads) expect(count).toBeLessThan(most);
  });

  test('does not hold up what is asked for meanwhile', async () => {
    const { slices } = services;
    const order: string[] = [];
    const large = Promise.resolve(slices.run(work())).then(() => order.push('large'));
    const small = new Promise((done) => setImmediate(done)).then(() => order.push('small'));
    await Promise.all([large, small]);
    expect(order).toEqual(['small', 'large']);
  });

  test('ends when its asker has left', async () => {
    const asker = { hasLeft: false };
    const large = Promise.resolve(services.slices.run(work(), asker));
    asker.hasLeft = true;
    await expect(large).rejects.toMatchObject({ code: 'expired' });
  });
});

test('all accounts of a group are answered in pieces', () => {
  const { made } = inSlices(groups().oneInSlices(alice.id, newest().entries[0]!.groupKey));
  const { made: body } = inSlices(services.answers.accountsInSlices(made!.accounts));
  expect(isInPieces(body) && body.length > 1).toBe(true);
  const text = wholeBody(body).toString();
  expect(text).toBe(services.answers.accounts(made!.accounts).toString());
  const shown = JSON.parse(text) as { id: string }[];
  expect(shown.map(({ id }) => id)).toEqual(senders.toReversed().map(({ id }) => id.toString()));
  const few = made!.accounts.slice(0, 2);
  expect(inSlices(services.answers.accountsInSlices(few)).made.toString()).toBe(
    services.answers.accounts(few).toString(),
  );
  expect(inSlices(services.answers.accountsInSlices([])).made.toString()).toBe('[]');
});

test('is the same page as at once, and reads nothing of the senders when it is asked for again', () => {
  const { made, reads } = inSlices(groups().pageInSlices(alice.id, {}, follows, bounds));
  const { made: again, reads: readAgain } = inSlices(groups().pageInSlices(alice.id, {}, follows, bounds));
  const plain = presenting(people.server).notificationGroups.page(alice.id, {}, follows, bounds);
  const facts = ({ items, ...cursors }: typeof made) => ({
    ...cursors,
    groups: items.map(({ key, count, newestId, oldestId, accountIds }) => ({
      ...{ key, count, newestId, oldestId, accountIds },
    })),
  });
  expect(facts(made)).toEqual(facts(plain));
  expect(facts(again)).toEqual(facts(plain));
  expect(made.items).toHaveLength(1);
  expect(made.items[0]!.count).toBe(senderCount);
  expect(made.items[0]!.accounts).toHaveLength(groupSamplesMax);
  const sum = (counts: readonly number[]) => counts.reduce((one, other) => one + other, 0);
  expect(sum(reads)).toBeGreaterThan(senderCount);
  expect(sum(readAgain)).toBeLessThan(readsOfListMax);
});

describe('when something changes', () => {
  beforeEach(() => {
    meet();
    services = presenting(people.server);
  });

  test('whoever is blocked or suspended meanwhile is not counted', () => {
    const changes = [
      () => void people.say(block(alice, senders.at(-1)!)),
      () => void people.suspend(senders[0]!),
      () => void people.suspend(senders[senderCount - 3]!),
    ];
    const { made } = inSlices(groups().pageInSlices(alice.id, {}, follows, bounds), () => changes.pop()?.());
    expect(changes).toEqual([]);
    const shown = made.items[0]!;
    expect(shown.count).toBe(senderCount - 3);
    expect(shown.accountIds).not.toContain(senders.at(-1)!.id);
    expect(shown.accountIds).not.toContain(senders[senderCount - 3]!.id);
  });

  test('who is suspended later, or no longer, is counted accordingly', () => {
    const count = () => inSlices(groups().pageInSlices(alice.id, {}, follows, bounds)).made.items[0]!.count;
    expect(count()).toBe(senderCount);
    people.suspend(senders[5]!);
    expect(count()).toBe(senderCount - 1);
    people.moderate(senders[5]!, { suspendedAt: undefined });
    expect(count()).toBe(senderCount);
  });

  test('a page of which everybody is blocked meanwhile leads on', () => {
    const newer = senders.slice(-100);
    let isBlocked = false;
    const { made } = inSlices(services.notifications.pageInSlices(alice.id, {}, { limit: 40 }), () => {
      if (!isBlocked) for (const sender of newer) people.say(block(alice, sender));
      isBlocked = true;
    });
    expect(isBlocked).toBe(true);
    expect(made.items).toHaveLength(40);
    expect(made.items[0]!.notification.accountId).toBe(senders.at(-101)!.id);
    expect(made.full).toBe(true);
  });
});
