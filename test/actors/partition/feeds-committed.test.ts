/** A home shows only committed statuses while more are under way. */
import { expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { actors, keyspaces } from '../../../src/actors/catalogue.ts';
import { allocateRings, RingReader } from '../../../src/actors/partition/feed-rings.queries.ts';
import type { FeedAnswer } from '../../../src/actors/partition/feeds.messages.ts';
import { FeedsView } from '../../../src/actors/partition/feeds.view.ts';
import type { Envelope } from '../../../src/runtime/contract.ts';
import { composeId } from '../../../src/runtime/ids.ts';
import { Partition } from '../../../src/runtime/partition/partition.ts';
import { evenPlacement } from '../../../src/runtime/placement.ts';
import { MemoryLog } from '../../support/memory-log.ts';
import { plainPost } from '../../support/plain-post.ts';
import { signUp } from '../../support/sign-up.ts';

const now = Date.UTC(2025, 0, 1);
const alice = composeId(Date.UTC(2024, 5, 1), 1, 0);
const bob = composeId(Date.UTC(2024, 5, 1), 2, 0);

test('a follow that is not committed brings nothing into a home that is opened meanwhile', () => {
  const log = new MemoryLog();
  const memory = allocateRings(4, 8);
  const deferred: (() => void)[] = [];
  const defer = (callback: () => void) => void deferred.push(callback);
  const partition = new Partition({
    number: 0,
    placement: evenPlacement(1),
    actors,
    keyspaces,
    views: [new FeedsView(memory, { now: () => now, defer })],
    ports: {
      log,
      clock: { now: () => now, monotonic: () => now },
      random: { bytes: (count) => new Uint8Array(count) },
      sendFrame: () => undefined,
      acknowledge: () => undefined,
      reply: () => undefined,
      runEffect: () => undefined,
      archiveLetters: (_letters, done) => done(undefined),
      publish: () => undefined,
      defer,
      wakeIn: () => undefined,
      report: ({ message }) => expect(message).toContain('could not commit'),
    },
  });
  const run = () => {
    for (let next = deferred.shift(); next !== undefined; next = deferred.shift()) next();
  };
  const send = (envelope: Envelope) => {
    partition.submit({ envelope, flow: 'account:1', replyTo: [1, 1, 1], deadline: Number.POSITIVE_INFINITY });
    run();
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
      run();
    }
  }
  send(Account.publish.to(bob, plainPost('hello')));
  send(Account.follow.to(alice, { targetId: bob, options: {} }));
  const { generation } = partition.control('feeds', { kind: 'open', accountId: alice }) as FeedAnswer;
  partition.control('feeds', { kind: 'fill', accountId: alice, generation, ids: [], whole: true });
  log.complete();
  run();
  expect(home()).toBe(0);
  log.refuse('full');
  run();
  expect(home()).toBeUndefined();
});
