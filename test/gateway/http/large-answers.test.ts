/** Large answers: complete for clients that read them, bounded for clients that do not. */
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { AnswerBlocks } from '../../../src/gateway/http/answer-blocks.ts';
import { type AnswerBody, bytes } from '../../../src/gateway/http/answers.ts';
import { httpLimits } from '../../../src/gateway/http/limits.ts';
import { type Endpoint, endpointOver } from '../../../src/gateway/route.ts';
import { until } from '../../support/until.ts';
import { exchangeBytes, requestText, startServer } from './support.ts';

const { answerBytesAtOnce, pieceBytes, answerGraceMilliseconds, answerBytesPerSecondMin } = httpLimits;

/** More than the sockets of both sides take without being read. */
const hugeBytes = 16 * 1024 * 1024;

function counted(length: number): Buffer {
  const body = Buffer.alloc(length);
  for (let index = 0; index < length; index += 1) body[index] = 97 + (index % 23);
  return body;
}

const huge = counted(hugeBytes);

function answering(body: () => AnswerBody): Endpoint<unknown> {
  return endpointOver({
    method: 'GET',
    path: '/api/v1/large',
    authentication: 'optional',
    summary: 'Much.',
    handler: () => bytes(body(), { contentType: 'text/plain' }),
  });
}

const shared = counted(10 * pieceBytes + 5);

const bodies: readonly [what: string, body: AnswerBody, text: string][] = [
  ['the largest that is sent at once', 'a'.repeat(answerBytesAtOnce), 'a'.repeat(answerBytesAtOnce)],
  ['one byte more', 'a'.repeat(answerBytesAtOnce + 1), 'a'.repeat(answerBytesAtOnce + 1)],
  ['text of more bytes than characters', 'é'.repeat(200_000), 'é'.repeat(200_000)],
  ['bytes', shared, shared.toString()],
  ['whole pieces', counted(4 * pieceBytes), counted(4 * pieceBytes).toString()],
  [
    'pieces of its own, some larger than is sent in one go and one empty',
    [counted(10), counted(3 * pieceBytes), Buffer.alloc(0), counted(pieceBytes + 1)],
    [counted(10), counted(3 * pieceBytes), counted(pieceBytes + 1)].join(''),
  ],
  ['small pieces', [Buffer.from('one '), Buffer.from('answer')], 'one answer'],
];

describe.each(bodies)('a body: %s', (_what, body, text) => {
  test('arrives whole, with its length, and the connection goes on', async () => {
    const { port } = startServer({ endpoints: [answering(() => body)] });
    const first = 'GET /api/v1/large HTTP/1.1\r\nHost: a\r\n\r\n';
    const socket = connect(port, '127.0.0.1');
    const received: Buffer[] = [];
    socket.on('data', (chunk) => received.push(chunk));
    const head = (answer: string) => answer.slice(0, answer.indexOf('\r\n\r\n') + 4);
    const whole = () => Buffer.concat(received).toString();
    for (let count = 1; count <= 2; count += 1) {
      socket.write(first);
      await until(() => whole().endsWith(text) && whole().split('HTTP/1.1 200 OK').length === count + 1);
      expect(head(whole())).toContain(`\r\nContent-Length: ${Buffer.byteLength(text)}\r\n`);
    }
    // Heads differ in length: ids of requests grow.
    const answers = whole().split(/(?=HTTP\/1\.1 200 OK)/);
    expect(answers.map((answer) => answer.slice(head(answer).length) === text)).toEqual([true, true]);
    socket.destroy();
  });

  test('has its length alone for HEAD', async () => {
    const { port } = startServer({ endpoints: [answering(() => body)] });
    const answer = await exchangeBytes(port, requestText('HEAD /api/v1/large'));
    expect(answer).toContain(`\r\nContent-Length: ${Buffer.byteLength(text)}\r\n`);
    expect(answer.endsWith('\r\n\r\n')).toBe(true);
  });
});

test('a body in memory that is used again is sent as it was', async () => {
  const reused = Buffer.alloc(5 * pieceBytes);
  const letters = 'abcd';
  let count = 0;
  const { fetch } = startServer({ endpoints: [answering(() => reused.fill(letters[count++ % letters.length]!))] });
  const answers = await Promise.all(Array.from(letters, async () => (await fetch('/api/v1/large')).text()));
  expect(answers.map((answer) => [answer.length, [...new Set(answer)].length])).toEqual(
    Array.from(letters, () => [reused.length, 1]),
  );
});

test('pieces wait unchanged for a client that reads later than others whose pieces use the same memory', async () => {
  const answerBlocks = new AnswerBlocks();
  const lengths = [hugeBytes, 20 * pieceBytes, 20 * pieceBytes];
  let count = 0;
  const endpoint = answering(() => {
    count += 1;
    return answerBlocks.copyOf(Buffer.alloc(lengths[count - 1]!, count));
  });
  const { server, port, fetch } = startServer({ endpoints: [endpoint], answerBlocks });
  const slow = reader(port);
  await until(() => server.largeAnswers.bytes > 0 && server.largeAnswers.bytes < hugeBytes);
  for (const number of [2, 3]) {
    const other = Buffer.from(await (await fetch('/api/v1/large')).arrayBuffer());
    expect(other.equals(Buffer.alloc(lengths[number - 1]!, number))).toBe(true);
    expect(answerBlocks.idleBytes).toBeGreaterThan(0);
  }
  const received: Buffer[] = [];
  slow.on('data', (chunk) => received.push(chunk));
  slow.resume();
  await until(() => server.largeAnswers.bytes === 0 && slow.bytesRead > hugeBytes);
  const whole = Buffer.concat(received);
  expect(whole.subarray(whole.indexOf('\r\n\r\n') + 4).equals(Buffer.alloc(hugeBytes, 1))).toBe(true);
});

test('others are answered while pieces are sent', async () => {
  const quick = endpointOver({
    method: 'GET',
    path: '/api/v1/quick',
    authentication: 'optional',
    summary: 'Little.',
    handler: () => bytes('quick', { contentType: 'text/plain' }),
  });
  const { server, port, fetch } = startServer({ endpoints: [answering(() => huge), quick] });
  const slow = reader(port);
  await until(() => server.largeAnswers.bytes > 0);
  expect(await (await fetch('/api/v1/quick')).text()).toBe('quick');
  expect(server.largeAnswers.bytes).toBeGreaterThan(0);
  slow.resume();
  await until(() => server.largeAnswers.bytes === 0);
});

/** Asks, and reads nothing until told to. */
function reader(port: number): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.pause();
  socket.write('GET /api/v1/large HTTP/1.1\r\nHost: a\r\n\r\n');
  onTestFinished(() => void socket.destroy());
  return socket;
}

test('a burst of clients that read is answered whole, though it is more than the bound', async () => {
  const options = { endpoints: [answering(() => shared)], answerBytesWaitingMax: 4 * shared.byteLength };
  const { server, fetch } = startServer(options);
  const answers = await Promise.all(Array.from({ length: 8 }, async () => (await fetch('/api/v1/large')).text()));
  expect(answers.every((text) => text === shared.toString())).toBe(true);
  expect(server.largeAnswers.bytes).toBe(0);
});

describe('of clients that do not read', () => {
  test('nothing is left when they leave', async () => {
    const { server, port } = startServer({ endpoints: [answering(() => huge)] });
    const sockets = [reader(port), reader(port)];
    await until(() => server.largeAnswers.bytes > hugeBytes);
    expect(server.load.requests).toBe(2);
    for (const socket of sockets) socket.destroy();
    await until(() => server.largeAnswers.bytes === 0 && server.load.requests === 0);
  });

  test('so much waits as may, then those are closed of which nothing was read for a while', async () => {
    let asked = 0;
    const endpoint = answering(() => {
      asked += 1;
      return huge;
    });
    const bytesMax = 2 * hugeBytes;
    const { server, port } = startServer({ endpoints: [endpoint], answerBytesWaitingMax: bytesMax });
    const people: Socket[] = [];
    for (let count = 1; count <= 4; count += 1) {
      people.push(reader(port));
      await until(() => asked === count);
    }
    await until(() => server.largeAnswers.bytes <= bytesMax);
    const left = server.load.requests;
    const closed = people.length - left;
    expect(closed).toBeGreaterThan(0);
    // No more than had to: the sockets of both sides take some of each answer, so that its share of the bytes says how many.
    expect((server.largeAnswers.bytes / left) * (left + 1)).toBeGreaterThan(bytesMax);
    const ended = people.slice(0, closed).map((socket) => new Promise((resolve) => socket.on('close', resolve)));
    for (const socket of people) socket.resume();
    await Promise.all(ended);
    await until(
      () => server.largeAnswers.bytes === 0 && people.slice(closed).every(({ bytesRead }) => bytesRead > hugeBytes),
    );
    expect(people.slice(0, closed).every(({ bytesRead }) => bytesRead < hugeBytes)).toBe(true);
  });

  test('a burst may take twice the bound, and what comes then is refused', async () => {
    let asked = 0;
    const endpoint = answering(() => {
      asked += 1;
      return huge;
    });
    const options = { endpoints: [endpoint], answerBytesWaitingMax: 1.25 * hugeBytes };
    const { server, port, fetch, logged } = startServer(options);
    const alice = reader(port);
    await until(() => asked === 1);
    const bob = reader(port);
    await until(() => asked === 2);
    const refused = await fetch('/api/v1/large');
    expect([refused.status, refused.headers.get('retry-after') !== null, logged]).toEqual([503, true, []]);
    expect(server.load.requests).toBe(2);
    for (const socket of [alice, bob]) socket.resume();
    await until(() => server.largeAnswers.bytes === 0 && [alice, bob].every(({ bytesRead }) => bytesRead > hugeBytes));
  });

  test('one answer may wait however large it is', async () => {
    const { server, port } = startServer({ endpoints: [answering(() => huge)], answerBytesWaitingMax: 1 });
    const alice = reader(port);
    await until(() => server.largeAnswers.bytes > 0);
    alice.resume();
    await until(() => server.largeAnswers.bytes === 0);
    await until(() => alice.bytesRead > hugeBytes);
  });
});

describe('of clients that read too slowly', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  test('the connection is closed when they have had the time that the slowest may take', async () => {
    const { server, port } = startServer({ endpoints: [answering(() => huge)] });
    reader(port);
    await until(() => server.largeAnswers.bytes > 0 && vi.getTimerCount() === 1);
    vi.advanceTimersByTime(answerGraceMilliseconds + (1_000 * hugeBytes) / answerBytesPerSecondMin - 1);
    expect(server.largeAnswers.bytes).toBeGreaterThan(0);
    vi.advanceTimersByTime(1);
    await until(() => server.largeAnswers.bytes === 0);
    expect([server.load.requests, vi.getTimerCount()]).toEqual([0, 0]);
  });

  test('no deadline is left of an answer that was read', async () => {
    const { server, port } = startServer({ endpoints: [answering(() => huge)] });
    const alice = reader(port);
    await until(() => vi.getTimerCount() === 1);
    alice.resume();
    await until(() => server.largeAnswers.bytes === 0);
    expect(vi.getTimerCount()).toBe(0);
  });
});

test('closing waits for an answer that is being read', async () => {
  const { server, port } = startServer({ endpoints: [answering(() => huge)] });
  const alice = reader(port);
  await until(() => server.largeAnswers.bytes > 0);
  const closed = server.close(60_000);
  alice.resume();
  await closed;
  await until(() => alice.bytesRead > hugeBytes);
});
