/** What a link promises, for the one between threads, as owners and as others send, and for the one in memory. */
import { MessageChannel } from 'node:worker_threads';
import { afterEach, describe, expect, test } from 'vitest';
import { threadLimits } from '../../../src/runtime/limits.ts';
import { allocateBacklog, Backlog } from '../../../src/runtime/threads/backlog.ts';
import type { Link } from '../../../src/runtime/threads/link.ts';
import type { ThreadMessage } from '../../../src/runtime/threads/messages.ts';
import { endOfRound, PortLink } from '../../../src/runtime/threads/port-link.ts';
import type { ThreadName } from '../../../src/runtime/threads/role.ts';
import { until } from '../../support/until.ts';
import { MemoryLink } from '../support/memory-link.ts';
import { threadName } from '../support/roles.ts';

interface Pair {
  readonly alice: Link;
  /** Makes Bob's end, which reads from then on. */
  read(): Link;
  /** What Bob received, with the peer that it came from. */
  readonly received: { message: ThreadMessage; from: Link }[];
  /** Settles once Bob has read this many. */
  arrived(count: number): Promise<unknown>;
}

type Make = (sender: string) => Pair;

function names(sender: string): [ThreadName, ThreadName] {
  return [threadName(sender, 0), threadName('gateway', 1)];
}

const overPorts: Make = (sender) => {
  const { port1, port2 } = new MessageChannel();
  const memory = allocateBacklog();
  const received: Pair['received'] = [];
  const [first, second] = names(sender);
  const alice = new PortLink({
    ...{ peer: second, port: port1, backlog: new Backlog(memory, 0), atEndOfRound: endOfRound(sender) },
    receive: () => undefined,
  });
  const read = () =>
    new PortLink({
      ...{ peer: first, port: port2, backlog: new Backlog(memory, 1), atEndOfRound: endOfRound('gateway') },
      receive: (message, from) => void received.push({ message, from }),
    });
  return { alice, received, read, arrived: (count) => until(() => received.length >= count) };
};

const inMemory: Make = (sender) => {
  const received: Pair['received'] = [];
  const [alice, bob] = MemoryLink.pair(names(sender), [
    () => undefined,
    (message, from) => void received.push({ message, from }),
  ]);
  return { alice, received, read: () => bob, arrived: () => Promise.resolve(alice.deliver()) };
};

const links: readonly (readonly [string, string, Make])[] = [
  ['of an owner, over ports', 'owner', overPorts],
  ['of a gateway, over ports', 'gateway', overPorts],
  ['in memory', 'owner', inMemory],
];

const notice = (body: unknown): ThreadMessage => ({ type: 'notice', topic: 'hello', body });
const bodiesOf = ({ received }: Pair) => received.map(({ message }) => message.type === 'notice' && message.body);

describe.each(links)('a link %s', (_what, sender, make) => {
  let ends: Link[] = [];

  function connect(): Pair {
    const pair = make(sender);
    const read = () => {
      const bob = pair.read();
      ends.push(bob);
      return bob;
    };
    ends.push(pair.alice);
    return { ...pair, read };
  }

  /** An owner sends when its callback ends, others when the round of the event loop does. */
  const sent = () => new Promise((resolve) => setImmediate(resolve));

  afterEach(() => {
    for (const end of ends) end.close();
    ends = [];
  });

  test('delivers in order, once, as copies, also what was sent before the other end read', async () => {
    const pair = connect();
    const body = { number: 0, id: 2n ** 60n, bytes: Uint8Array.of(1, 2) };
    for (let number = 0; number < 100; number += 1) {
      if (number === 50) pair.read();
      pair.alice.send(notice({ ...body, number }));
      if (number % 10 === 0) await sent();
    }
    await sent();
    await pair.arrived(100);
    expect(bodiesOf(pair)).toEqual(Array.from({ length: 100 }, (_, number) => ({ ...body, number })));
  });

  test('names its peer, and hands itself to the receiver', async () => {
    const { alice, read, received, arrived } = connect();
    const bob = read();
    expect([alice.peer, bob.peer]).toEqual([threadName('gateway', 1), threadName(sender, 0)]);
    alice.send(notice(1));
    await arrived(1);
    expect(received[0]!.from).toBe(bob);
  });

  test('does not call the receiver while the sender sends', async () => {
    const { alice, read, received, arrived } = connect();
    read();
    alice.send(notice(1));
    expect(received).toEqual([]);
    await arrived(1);
    expect(received).toHaveLength(1);
  });

  test('counts what was not read yet, and is full at the bound', async () => {
    const { alice, read, arrived } = connect();
    const large = Math.ceil(threadLimits.linkBytesMax / 2);
    expect(alice.backlog).toMatchObject({ messagesUnread: 0, bytesUnread: 0, isFull: false, isHalfFull: false });
    alice.send(notice(1), large);
    await sent();
    expect(alice.backlog).toMatchObject({ messagesUnread: 1, isFull: false, isHalfFull: true });
    alice.send(notice(2), large);
    await sent();
    expect(alice.backlog).toMatchObject({ messagesUnread: 2, isFull: true, isHalfFull: true });
    read();
    await arrived(2);
    await until(() => alice.backlog.messagesUnread === 0);
    expect(alice.backlog).toMatchObject({ bytesUnread: 0, isFull: false, isHalfFull: false });
  });

  test('delivers nothing after it was closed at either end, and does not throw', async () => {
    const { alice, read, arrived, received } = connect();
    const bob = read();
    alice.send(notice(1));
    await arrived(1);
    bob.close();
    alice.send(notice(2));
    await sent();
    alice.close();
    alice.send(notice(3));
    await sent();
    await arrived(1);
    expect(received).toHaveLength(1);
  });
});
