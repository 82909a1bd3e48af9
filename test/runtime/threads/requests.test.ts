/** Requests of a thread to others: each ends, and only so many wait. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Failure } from '../../../src/runtime/errors.ts';
import { threadLimits } from '../../../src/runtime/limits.ts';
import { evenPlacement } from '../../../src/runtime/placement.ts';
import { Client } from '../../../src/runtime/threads/client.ts';
import { systemClock } from '../../../src/runtime/threads/clock.ts';
import type { ThreadMessage } from '../../../src/runtime/threads/messages.ts';
import { callingThread } from '../support/calling-thread.ts';
import { act, playerOf } from '../support/players.ts';

const { callBeginMilliseconds, callDeadlineMilliseconds, requestsMax } = threadLimits;

let peer: ReturnType<typeof callingThread>;
let client: Client;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'hrtime'] });
  peer = callingThread();
  client = new Client(peer.thread, evenPlacement(1), () => undefined);
});

afterEach(() => {
  client.close();
  vi.useRealTimers();
});

const kinds: [string, () => Promise<unknown>][] = [
  ['a view', () => client.control(0, 'feeds', {})],
  ['dead letters', () => client.letters(0, { what: 'drop', sequences: [1] })],
  ['a service', () => client.ask('network', 0, 'keys', {})],
];

test.each(
  kinds,
)('a request to %s says until when it may begin, and ends when it was not answered', async (_what, ask) => {
  const outcome = expect(ask()).rejects.toMatchObject({ code: 'outcomeUnknown' });
  expect(peer.all).toMatchObject([{ deadline: systemClock.monotonic() + callBeginMilliseconds }]);
  vi.advanceTimersByTime(callDeadlineMilliseconds);
  vi.advanceTimersByTime(1_000);
  await outcome;
});

test('requests to one thread above their bound are refused, those to another and calls are not', async () => {
  const handles = () => peer.all.map((message) => (message as Extract<ThreadMessage, { type: 'ask' }>).replyTo);
  const waiting = Array.from({ length: requestsMax }, () => client.ask('network', 0, 'keys', {}));
  const above = client.ask('network', 0, 'keys', {});
  // From now on: a rejection that nobody expects would be reported by itself.
  const ended = Promise.allSettled([above, ...waiting.slice(1)]);
  expect(peer.all).toHaveLength(requestsMax);
  const others: Promise<unknown>[] = [
    client.ask('gateway', 1, 'barrier', {}),
    client.call(act(playerOf(0, 1), 'work'), 'flow'),
  ];
  client.replied({ type: 'reply', handle: handles()[0]!, result: { ok: true, value: 'key' } });
  expect(await waiting[0]).toBe('key');
  others.push(client.ask('network', 0, 'keys', {}));
  expect(peer.all).toHaveLength(requestsMax + 3);
  client.close();
  const ends = [...(await ended), ...(await Promise.allSettled(others))];
  const codes = ends.map((end) => (end.status === 'rejected' ? (end.reason as Failure).code : 'answered'));
  expect([codes[0], new Set(codes.slice(1))]).toEqual(['overloaded', new Set(['outcomeUnknown'])]);
});

test('a call learns before its answer arrives that what led to it has invalidated something', async () => {
  const told: string[] = [];
  const call = (name: string) =>
    client.call(act(playerOf(0, 1), 'work'), { flow: 'account:1', invalidated: () => void told.push(name) });
  const answered = [call('one'), call('other')];
  for (const [index, { replyTo }] of peer.sent.entries()) {
    const [boot, thread, number] = replyTo;
    const handle = index === 0 ? replyTo : ([boot, thread, number, true] as const);
    client.replied({ type: 'reply', handle, result: { ok: true, value: undefined } });
  }
  expect(told).toEqual(['other']);
  await Promise.all(answered);
});

test('neither an order of the operator nor a subscription is refused', async () => {
  const views = Array.from({ length: requestsMax + 1 }, () => client.control(0, 'feeds', {}));
  const others = [client.letters(0, { what: 'drop', sequences: [1] }), client.listen(0)];
  const ended = Promise.allSettled([...views, ...others]);
  expect(peer.all.slice(requestsMax).map(({ type }) => type)).toEqual(['letters', 'listen']);
  client.close();
  await ended;
});

test('calls say how large they are, and are refused while the port of their owner is full, but not to the operator', async () => {
  const { kind, key, message } = act(playerOf(0, 1), 'work');
  const call = (text: string, flow: string) => client.call({ kind, key, message, body: { text } }, flow);
  const outcomes = [call('x'.repeat(5_000), 'account:1')];
  peer.backlog.isFull = true;
  outcomes.push(call('x', 'account:1'), call('x', 'system'));
  client.close();
  const codes = (await Promise.allSettled(outcomes)).map(
    (outcome) => outcome.status === 'rejected' && outcome.reason.code,
  );
  expect(codes).toEqual(['outcomeUnknown', 'overloaded', 'outcomeUnknown']);
  expect(peer.sent.map(({ bytes }) => bytes > 5_000)).toEqual([true, false]);
  expect(peer.sizes).toEqual(peer.sent.map(({ bytes }) => bytes));
});

test('requests to views say how large they are, and are refused while the port of their owner is full', async () => {
  const fill = (count: number) => client.control(0, 'feeds', { ids: new Array(count).fill(1n) });
  const outcomes = [fill(1_000)];
  peer.backlog.isFull = true;
  outcomes.push(fill(1));
  client.close();
  const codes = (await Promise.allSettled(outcomes)).map(
    (outcome) => outcome.status === 'rejected' && outcome.reason.code,
  );
  expect(codes).toEqual(['outcomeUnknown', 'overloaded']);
  expect(peer.sizes).toEqual([expect.any(Number)]);
  expect(peer.sizes[0]).toBeGreaterThan(8_000);
});

test('a damaged record is not told to an owner that does not read: it is met again', () => {
  peer.backlog.isFull = true;
  client.damageMet(0, Uint8Array.of(1));
  peer.backlog.isFull = false;
  client.damageMet(0, Uint8Array.of(2));
  expect(peer.all).toEqual([{ type: 'damaged', partition: 0, key: Uint8Array.of(2) }]);
});
