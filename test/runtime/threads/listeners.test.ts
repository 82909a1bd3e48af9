/** Events for listeners that keep up, that fall behind, and that are gone. */
import { MessageChannel } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { pack } from '../../../src/runtime/codec.ts';
import { unpackEvents } from '../../../src/runtime/events/event.ts';
import { threadLimits } from '../../../src/runtime/limits.ts';
import type { Problem } from '../../../src/runtime/ports.ts';
import { allocateBacklog, Backlog } from '../../../src/runtime/threads/backlog.ts';
import type { Link } from '../../../src/runtime/threads/link.ts';
import { Listeners } from '../../../src/runtime/threads/listeners.ts';
import type { ThreadMessage } from '../../../src/runtime/threads/messages.ts';
import { endOfRound, PortLink } from '../../../src/runtime/threads/port-link.ts';
import { until } from '../../support/until.ts';
import { threadName } from '../support/roles.ts';

const eventsPerFullLink = 16;
const largeText = 'x'.repeat(threadLimits.linkBytesMax / eventsPerFullLink);

let problems: Problem[];
let listeners: Listeners;
let ends: Link[];

beforeEach(() => {
  problems = [];
  ends = [];
  listeners = new Listeners((problem) => void problems.push(problem));
});

afterEach(() => {
  listeners.close();
  for (const link of ends) link.close();
});

/** A thread that listens; it reads what has come once `read` is called. */
function listener(
  index: number,
  numbers?: readonly number[],
  isWhole = false,
): { heard: string[]; told: unknown[]; read(): void } {
  const { port1, port2 } = new MessageChannel();
  const memory = allocateBacklog();
  const heard: string[] = [];
  const told: unknown[] = [];
  const [owner, gateway] = [threadName('owner', 0), threadName('gateway', index)];
  const backlog = new Backlog(memory, 0);
  const link = new PortLink({
    ...{ peer: gateway, port: port1, backlog, atEndOfRound: endOfRound('owner') },
    receive: () => undefined,
  });
  ends.push(link);
  listeners.add(link, numbers && { numbers, isWhole });
  const note = (message: ThreadMessage) => {
    heard.push(message.type === 'events' ? `commit ${message.commit}` : message.type);
    if (message.type === 'events') told.push(...unpackEvents(message.events));
  };
  return {
    heard,
    told,
    read: () =>
      void ends.push(
        new PortLink({
          ...{ peer: owner, port: port2, backlog: new Backlog(memory, 1), atEndOfRound: endOfRound('gateway') },
          receive: note,
        }),
      ),
  };
}

let commit = 0;

function publish(text = 'hello', event = 1): Promise<void> {
  commit += 1;
  const events = [{ event, body: { text } }];
  listeners.publish({ partition: 0, commit, events, packed: events.map(pack) }, []);
  // The link sends at the end of its round.
  return Promise.resolve();
}

async function publishUntilFull(): Promise<void> {
  commit = 0;
  while (problems.length === 0 && commit < 2 * eventsPerFullLink) await publish(largeText);
}

test('a listener that keeps up gets every event', async () => {
  const alice = listener(0);
  alice.read();
  commit = 0;
  for (let count = 0; count < 3; count += 1) await publish();
  await until(() => alice.heard.length === 3);
  expect(alice.heard).toEqual(['commit 1', 'commit 2', 'commit 3']);
  expect(problems).toEqual([]);
});

test('where the recipients are not known, a gap follows for those who depend on them', async () => {
  const [gateway, network] = [listener(0), listener(1, [1])];
  for (const each of [gateway, network]) each.read();
  const events = [{ event: 1, body: { text: 'hello' } }];
  listeners.publish({ partition: 0, commit: 7, events, packed: events.map(pack) }, undefined);
  await until(() => gateway.heard.length === 2 && network.heard.length === 1);
  expect([gateway.heard, network.heard]).toEqual([['commit 7', 'gap'], ['commit 7']]);
});

test('a gap that no event goes before reaches all that keep up, and those left behind once they have caught up', async () => {
  const [gateway, network] = [listener(0), listener(1, [1])];
  for (const each of [gateway, network]) each.read();
  commit = 0;
  listeners.publishGap();
  await publish();
  await until(() => [gateway, network].every(({ heard }) => heard.includes('commit 1')));
  expect([gateway.heard, network.heard]).toEqual([
    ['gap', 'commit 1'],
    ['gap', 'commit 1'],
  ]);
  const slow = listener(2);
  await publishUntilFull();
  listeners.publishGap();
  await publish();
  slow.read();
  await until(() => slow.heard.includes('gap'));
  expect(slow.heard.filter((type) => type === 'gap')).toHaveLength(1);
});

test('a listener that reads nothing is left behind at the bound, and gets a gap before anything newer', async () => {
  const alice = listener(0);
  await publishUntilFull();
  expect(problems).toEqual([
    { level: 'warn', message: 'gateway thread 0 does not keep up with events and misses some' },
  ]);
  expect(listeners.counts).toEqual({ following: 0, behind: 1 });
  // The bound was reached by those before.
  expect(commit).toBeLessThanOrEqual(eventsPerFullLink + 1);
  const missed = commit;
  await publish();
  alice.read();
  await until(() => alice.heard.includes('gap'));
  expect(listeners.counts).toEqual({ following: 1, behind: 0 });
  await publish();
  await until(() => alice.heard.includes(`commit ${missed + 2}`));
  const commits = Array.from({ length: missed - 1 }, (_, index) => `commit ${index + 1}`);
  expect(alice.heard).toEqual([...commits, 'gap', `commit ${missed + 2}`]);
});

test('one that is left behind costs the others nothing', async () => {
  const bob = listener(1);
  bob.read();
  listener(0);
  commit = 0;
  while (problems.length === 0 && commit < 2 * eventsPerFullLink) {
    await publish(largeText);
    await until(() => bob.heard.length === commit);
  }
  expect(bob.heard).not.toContain('gap');
});

test('a listener that wants few events gets no others', async () => {
  const network = listener(0, [7]);
  network.read();
  commit = 0;
  await publish('not wanted', 1);
  await publish('wanted', 7);
  await until(() => network.heard.length > 0);
  expect(network.heard).toEqual(['commit 2']);
});

test('each listener gets the events of a commit that it wants, as they were emitted', async () => {
  const everything = listener(0);
  const some = listener(1, [7]);
  everything.read();
  some.read();
  const events = [
    { event: 1, body: { text: 'published' } },
    { event: 7, body: { id: 2n ** 63n, tags: ['cats'], language: undefined } },
  ];
  listeners.publish({ partition: 0, commit: 1, events, packed: events.map(pack) }, []);
  await until(() => everything.told.length === 2 && some.told.length === 1);
  expect(everything.told).toStrictEqual(events);
  expect(some.told).toStrictEqual([events[1]]);
});

test('a commit of which a listener wants nothing is not sent to it, and another one whole', async () => {
  const gateway = listener(0, [7], true);
  gateway.read();
  const wanted = [
    { event: 1, body: { text: 'of lanes' } },
    { event: 7, body: { text: 'wanted' } },
  ];
  const given = (commit: number, events: typeof wanted) =>
    listeners.publish({ partition: 0, commit, events, packed: events.map(pack) }, undefined);
  given(1, wanted.slice(0, 1));
  given(2, wanted);
  given(3, wanted.slice(0, 1));
  await until(() => gateway.heard.includes('gap'));
  expect([gateway.heard, gateway.told]).toStrictEqual([['commit 2', 'gap'], wanted]);
});

test('a listener that is gone gets nothing', async () => {
  const alice = listener(0);
  const bob = listener(1);
  alice.read();
  bob.read();
  listeners.remove(threadName('gateway', 0));
  await publish();
  await until(() => bob.heard.length === 1);
  expect(alice.heard).toEqual([]);
});
