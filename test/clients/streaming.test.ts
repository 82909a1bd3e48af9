/** The examples of docs/clients/streaming.md run, and its tables say what is declared. */
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { channelKinds } from '../../src/gateway/streaming/channels.ts';
import { streamLimits } from '../../src/gateway/streaming/limits.ts';
import { type Ask, askerOf, mistakesIn } from '../support/asking.ts';
import { type RunningServer, startTestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import type { User } from '../support/users.ts';

const page = readFileSync(new URL('../../docs/clients/streaming.md', import.meta.url), 'utf8');
const [socketExample, eventsExample] = Array.from(page.matchAll(/```ts\n(.*?)```/gs), ([, code]) => code!);
const [announced = '', messages = ''] = Array.from(page.matchAll(/```json\n(.*?)```/gs), ([, json]) => json!.trim());
const [subscribing = '', unsubscribing = ''] = messages.split('\n');

let server: RunningServer;
let ask: Ask;
let alice: User;
let streaming: string;

beforeAll(async () => {
  server = await startTestServer();
  ask = askerOf(server);
  alice = await server.createUser('alice');
  streaming = String((await ask(undefined, 'GET', '/api/v2/instance')).body.configuration!.urls!.streaming);
});

afterAll(async () => {
  expect(mistakesIn(server)).toEqual([]);
  expect(await server.stop()).toBe(0);
});

const post = async (status: string) => {
  expect((await ask(alice, 'POST', '/api/v1/statuses', { status })).status).toBe(200);
};
const again = () => expect.unreachable('nothing is lost');
/** The function of an example, with what it takes from around it. */
const run = <Example>(code: string, name: string, given: Readonly<Record<string, unknown>>) =>
  new Function(...Object.keys(given), `${stripTypeScriptTypes(code)}\nreturn ${name};`)(
    ...Object.values(given),
  ) as Example;
const contentOf = (payload: string) => (JSON.parse(payload) as { content: string }).content;

test('the example of WebSockets gets each event once, also across a pause', async () => {
  const shown: string[] = [];
  const show = (event: string, payload: string) => shown.push(`${event} ${contentOf(payload)}`);
  const connect = run<() => WebSocket>(socketExample!, 'connect', {
    streaming,
    token: alice.token,
    readAgain: again,
    show,
  });
  const whenOpen = async () => {
    const socket = connect();
    await until(() => socket.readyState === WebSocket.OPEN, { description: 'the open socket' });
    return socket;
  };
  const first = await whenOpen();
  await until(
    async () => {
      await post('here');
      return shown.length > 0;
    },
    { description: 'the first event' },
  );
  const live = shown.length;
  first.close();
  await until(() => first.readyState === WebSocket.CLOSED, { description: 'the end of the socket' });
  for (const words of ['one', 'two']) await post(words);
  const second = await whenOpen();
  await until(() => shown.includes('update <p>two</p>'), { description: 'what came meanwhile' });
  await post('three');
  await until(() => shown.includes('update <p>three</p>'), { description: 'what comes then' });
  expect(shown.filter((line) => !line.includes('here'))).toEqual(
    ['one', 'two', 'three'].map((words) => `update <p>${words}</p>`),
  );
  expect(shown.length).toBeGreaterThanOrEqual(live + 3);
  second.close();
});

test('the example of server-sent events resumes', async () => {
  const shown: string[] = [];
  let last: string | undefined;
  const show = (_event: string, data: string, id: string) => {
    shown.push(contentOf(data));
    last = id;
    return false;
  };
  const read = run<(last?: string) => Promise<void>>(eventsExample!, 'read', {
    origin: server.origin,
    token: alice.token,
    readAgain: again,
    show,
  });
  const first = read();
  await until(
    async () => {
      await post('first');
      return shown.length > 0;
    },
    { description: 'the first event' },
  );
  await first;
  await post('second');
  while (shown.at(-1) !== '<p>second</p>') await read(last);
  expect(shown.slice(0, -1)).toEqual(shown.slice(0, -1).map(() => '<p>first</p>'));
});

test('the messages of the page are understood; a member that means nothing is named, and the rest done', async () => {
  const socket = new WebSocket(`${streaming}/api/v1/streaming`, alice.token);
  const frames: Record<string, unknown>[] = [];
  socket.onmessage = ({ data }) => frames.push(JSON.parse(String(data)) as Record<string, unknown>);
  await until(() => socket.readyState === WebSocket.OPEN, { description: 'the open socket' });
  socket.send(subscribing.replace(', "since": "0.215.3"', ''));
  socket.send(JSON.stringify({ type: 'subscribe', stream: 'public:local', last_event_id: '1', list: null }));
  socket.send(JSON.stringify({ type: 'subscribe', stream: 'nowhere' }));
  await until(() => frames.length === 2, { description: 'the refusals' });
  expect(frames).toEqual([
    { error: 'Unknown member: last_event_id', status: 400 },
    { error: 'Unknown stream type', status: 400 },
  ]);
  await post('#birds');
  await until(() => frames.length === 4, { description: 'the frames of both channels' });
  expect(frames.slice(2).map(({ stream }) => stream)).toEqual(
    expect.arrayContaining([['hashtag', 'birds'], ['public:local']]),
  );
  socket.send(unsubscribing);
  await post('#birds again');
  await until(() => frames.length === 5, { description: 'the frame of one channel' });
  expect(frames[4]).toMatchObject({ stream: ['public:local'], event: 'update', payload: expect.any(String) });
  socket.close();
});

test('the table of channels is that of the declarations', () => {
  const cells = Array.from(page.matchAll(/^\| `([a-z:]+)` \| `\/([^`]+)` \| (.*?) ?\| (.*) \|$/gm), (row) =>
    row.slice(1),
  );
  const events = (text: string) => (text === 'the same' ? 'update status.update delete' : text.replaceAll(/[`,]/g, ''));
  expect(
    cells.map(([name, path, parameter, text]) => [name, path!.replace(/[=?].*/, ''), parameter, events(text!)]),
  ).toEqual(
    expect.arrayContaining(
      channelKinds.map((kind) => [
        kind.name,
        kind.path,
        kind.parameter === undefined ? '' : `\`${kind.parameter.name}\``,
        kind.events.join(' '),
      ]),
    ),
  );
  expect(cells).toHaveLength(channelKinds.length);
});

test('what the page says that instance documents announce is there', async () => {
  const { murmuration } = JSON.parse(`{${announced}}`) as { murmuration: object };
  for (const version of ['v1', 'v2'])
    expect((await ask(undefined, 'GET', `/api/${version}/instance`)).body.murmuration).toMatchObject(murmuration);
});

test('the limits of the page are those of the server', () => {
  const { channelsPerSocketMax, streamsPerAccountMax, streamsPerAddressMax, idleSeconds } = streamLimits;
  const { watchedPerSocketMax } = streamLimits;
  const { replayEventsMax, replayEventsReadMax, heartbeatMilliseconds } = streamLimits;
  for (const words of [
    `channels of one WebSocket | ${channelsPerSocketMax} |`,
    `\`account\` of one WebSocket | ${watchedPerSocketMax} |`,
    `one thread of the server | ${streamsPerAccountMax} |`,
    `one thread of the server | ${streamsPerAddressMax} |`,
    `pongs included | ${idleSeconds} seconds |`,
    `more than ${replayEventsMax} events would have to be sent, or ${replayEventsReadMax} looked at`,
    `every ${heartbeatMilliseconds / 1_000} seconds`,
  ])
    expect(page).toContain(words);
  expect([streamLimits.messageBytesMax, streamLimits.backpressureBytesMax]).toEqual([16 * 1_024, 1_024 * 1_024]);
});
