/** A home shows only committed statuses while more are under way. */
import { expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { actors, keyspaces } from '../../../src/actors/catalogue.ts';
import { allocateRings, RingReader } from '../../../src/actors/partition/feed-rings.queries.ts';
import type { FeedAnswer } from '../../../src/actors/partition/feeds.messages.ts';
import { FeedsView } from '../../../src/actors/partition/feeds.view.ts';
import type { Envelope } from '../../../src/runtime/contract.ts';
import { composeId } from '../../../src/runtime/ids.ts';
import { evenPlacement } from '../../../src/runtime/placement.ts';
import { MemoryLog } from '../../support/memory-log.ts';
import { PartitionHost } from '../../support/partition-host.ts';
import { plainPost } from '../../support/plain-post.ts';
import { Tasks } from '../../support/schedule.ts';
import { signUp } from '../../support/sign-up.ts';

const now = Date.UTC(2025, 0, 1);
const alice = composeId(Date.UTC(2024, 5, 1), 1, 0);
const bob = composeId(Date.UTC(2024, 5, 1), 2, 0);

test('a follow that is not committed brings nothing into a home that is opened meanwhile', () => {
  const log = new MemoryLog();
  const memory = allocateRings(4, 8);
  const tasks = new Tasks();
  const views = [new FeedsView(memory, { monotonic: () => now, defer: tasks.soon })];
  const host = new PartitionHost(evenPlacement(1), () => ({ actors, keyspaces, views }));
  const clock = { now: () => now, monotonic: () => now };
  const partition = host.start(0, { log, schedule: { clock, soon: tasks.soon, wakeIn: () => undefined } });
  const send = (envelope: Envelope) => {
    host.submit(envelope, () => undefined, { flow: 'account:1' });
    tasks.run();
  };
  const home = () => new RingReader(memory).read(alice, 0)?.ids.length;
  void partition.open(1);
  for (const [id, name] of [
    [alice, 'alice'],
    [bob, 'bob'],
  ] as const) {
    send(Account.create.to(id, signUp(name)));
    while (log.waiting > 0) {
      log.complete();
      tasks.run();
    }
  }
  send(Account.publish.to(bob, plainPost('hello')));
  send(Account.follow.to(alice, { targetId: bob, options: {} }));
  const { generation } = partition.control('feeds', { kind: 'open', accountId: alice }) as FeedAnswer;
  partition.control('feeds', { kind: 'fill', accountId: alice, generation, ids: [], whole: true });
  log.complete();
  tasks.run();
  expect(home()).toBe(0);
  log.refuse('full');
  tasks.run();
  expect(home()).toBeUndefined();
  expect(host.problems.map(({ message }) => message)).toEqual(['partition 0 could not commit']);
});
