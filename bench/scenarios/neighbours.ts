/**
 * What one client costs others. First, how long a thread of the server runs without looking for new requests while it
 * answers one that is expensive: in CPU, which is what the server did, beside the time, in which the machine did other
 * things as well. Then, how much longer a small request takes beside somebody who asks for long threads all the time.
 */

import { type HttpLoad, httpRequest, openHttpLoad } from '../generators/http-load.ts';
import { percentile } from '../measure/statistics.ts';
import { measureStretches, stretchFolder } from '../measure/stretches.ts';
import { type Server, startServer } from '../processes/server.ts';
import type { BenchContext, Figure, Scenario } from '../scenario.ts';
import { type BurdenFacts, burdenSeed } from '../seed/burden.ts';
import { tokenOf } from '../seed/people.ts';
import { stopAll } from './words.ts';

/** Work longer than this is cut into slices. */
const stretchMilliseconds = 5;
const megabyte = 1_000_000;
const relationshipsAsked = 400;
/** Beyond all ids: a page behind a cursor is not kept. */
const beyondAll = '9000000000000000000';

interface Asked {
  readonly host: string;
  readonly facts: BurdenFacts;
}

type Requests = (asked: Asked) => string[];

/** In this order: the first to ask for a thread finds nothing of it in memory. */
const rows: readonly [what: string, requests: Requests][] = [
  ['threads of 1,000 answers, nothing known of them', (asked) => contexts(asked, 1, (_thread) => 0)],
  ['the same, by others', (asked) => contexts(asked, 2, (thread, time) => 1 + thread + time)],
  ['the same, again', (asked) => contexts(asked, 6, () => 0)],
  ['deep threads of 1,000', ({ host, facts }) => facts.deepThreads.map((id) => context(host, facts, id, 0))],
  ['pages of threads', ({ host, facts }) => facts.threads.map((id, index) => get(host, `/@person${index}/${id}`))],
  ['notifications of 80 for the first time', (asked) => asBusy(asked, () => '/api/v1/notifications?limit=80')],
  [
    'grouped notifications of 1,500 new followers for the first time',
    (asked) => asBusy(asked, () => '/api/v2/notifications?limit=80'),
  ],
  [
    'the same, again, behind a cursor',
    (asked) => asBusy(asked, () => `/api/v2/notifications?limit=80&max_id=${beyondAll}`),
  ],
  ['relationships of 400 accounts', (asked) => asBusy(asked, relationshipsPath)],
  [
    'all members of large lists',
    (asked) => asBusy(asked, ({ lists }, index) => `/api/v1/lists/${lists[index]}/accounts?limit=0`),
  ],
  ['homes of 40 for the first time', (asked) => asBusy(asked, () => '/api/v1/timelines/home?limit=40')],
  ['searches for people', (asked) => asBusy(asked, () => '/api/v1/accounts/search?q=person&following=true&limit=80')],
  ['posts with a text of 1 MB', ({ host, facts }) => posts(host, facts, { status: 'é'.repeat(megabyte / 2) })],
  ['activities of 1 MB of empty objects', ({ host }) => inboxes(host, `${'{},'.repeat(megabyte / 3)}{}`)],
  [
    'activities of 1 MB of lists in each other',
    ({ host }) => inboxes(host, '['.repeat(megabyte / 2) + ']'.repeat(megabyte / 2)),
  ],
  ['deletions of threads', ({ host, facts }) => facts.threads.map((id, index) => removal(host, facts, id, index))],
];

const bodyRequests = 6;

function get(host: string, path: string, token?: string): string {
  return httpRequest('GET', host, path, token === undefined ? {} : { token });
}

function context(host: string, { people }: BurdenFacts, id: bigint, viewer: number): string {
  return get(host, `/api/v1/statuses/${id}/context`, tokenOf(people[viewer % people.length]!));
}

function contexts({ host, facts }: Asked, times: number, viewer: (thread: number, time: number) => number): string[] {
  return Array.from({ length: times }, (_, time) =>
    facts.threads.map((id, thread) => context(host, facts, id, viewer(thread, time))),
  ).flat();
}

function asBusy({ host, facts }: Asked, path: (facts: BurdenFacts, index: number) => string): string[] {
  return facts.busyPeople.map((id, index) => get(host, path(facts, index), tokenOf(id)));
}

function relationshipsPath({ people }: BurdenFacts): string {
  const ids = people.slice(0, relationshipsAsked).map((id) => `id[]=${id}`);
  return `/api/v1/accounts/relationships?${ids.join('&')}`;
}

function posts(host: string, { people }: BurdenFacts, json: unknown): string[] {
  const token = tokenOf(people[0]!);
  return Array.from({ length: bodyRequests }, () => httpRequest('POST', host, '/api/v1/statuses', { token, json }));
}

function inboxes(host: string, tags: string): string[] {
  const body = `{"id":"https://there.example/1","type":"Create","actor":"https://there.example/a","object":{"tag":[${tags}]}}`;
  const head = `POST /inbox HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/activity+json\r\n`;
  return Array.from({ length: bodyRequests }, () => `${head}Content-Length: ${body.length}\r\n\r\n${body}`);
}

function removal(host: string, { people }: BurdenFacts, id: bigint, author: number): string {
  return httpRequest('DELETE', host, `/api/v1/statuses/${id}`, { token: tokenOf(people[author % people.length]!) });
}

export const neighboursScenario: Scenario = {
  name: 'neighbours',
  summary: 'what an expensive request of one client costs others: uninterrupted work of each thread, latency beside it',
  async run(context) {
    const beside = await withServer(context, undefined, besideThreads);
    const folder = stretchFolder();
    const stretches = await withServer(context, folder.path, (_context, server, facts) =>
      longestStretches(context, server, facts, folder.path),
    );
    folder.remove();
    return [...beside, ...stretches];
  },
};

/** Each server has its own copy of the data, which belong to its address. */
async function withServer<Result>(
  context: BenchContext,
  stretchesFolder: string | undefined,
  use: (context: BenchContext, server: Server, facts: BurdenFacts) => Promise<Result>,
): Promise<Result> {
  const { dataDirectory, facts, remove } = await context.seeds.open(burdenSeed(context.size.burden));
  const server = await startServer({ dataDirectory, stretchesFolder });
  try {
    return await use(context, server, facts);
  } finally {
    await server.stop();
    remove();
  }
}

async function longestStretches(
  { samples }: BenchContext,
  server: Server,
  facts: BurdenFacts,
  folder: string,
): Promise<Figure[]> {
  const load = openHttpLoad();
  const figures: Figure[] = [];
  const asked = { host: server.host, facts };
  try {
    // What is compiled and loaded with the first requests is nobody's doing.
    await answerAll(load, server, quietRequests(server, facts, warmUpRequests));
    for (const [what, requests] of rows) {
      const toSend = requests(asked);
      const { gateway, owner } = await measureStretches(folder, server.toggleStretches, () =>
        answerAll(load, server, toSend),
      );
      samples.write({ scenario: 'neighbours', kind: 'stretches', what, gateway, owner });
      figures.push({
        what: `longest stretch of a gateway: ${what}`,
        measured: gateway.cpu[0] ?? 0,
        unit: 'ms of CPU',
        target: { atMost: stretchMilliseconds },
        beside: `${toSend.length} requests; time ${shown(gateway.wall)} ms; an owner's CPU ${shown(owner.cpu)} ms, time ${shown(owner.wall)} ms`,
      });
    }
    return figures;
  } finally {
    await load.stop();
  }
}

const warmUpRequests = 300;

function shown([longest = 0]: readonly number[]): string {
  return longest.toFixed(1);
}

/** One after the other. Some of them are to be refused. */
async function answerAll(load: HttpLoad, server: Server, requests: readonly string[]): Promise<void> {
  await load.prepare({ ...server, connections: 1, requests });
  await load.once();
}

function quietRequests({ host }: Server, { people }: BurdenFacts, count: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    get(host, '/api/v1/accounts/verify_credentials', tokenOf(people[index % people.length]!)),
  );
}

const ranks = [50, 99, 99.9];

/** The quiet request alone and beside threads, in turn. */
async function besideThreads(context: BenchContext, server: Server, facts: BurdenFacts): Promise<Figure[]> {
  const { size, samples } = context;
  const quiet = openHttpLoad();
  const heavy = openHttpLoad();
  try {
    const asked = { host: server.host, facts };
    await quiet.prepare({
      ...server,
      connections: size.connections,
      requests: quietRequests(server, facts, warmUpRequests),
    });
    const requests = contexts(asked, 8, (thread, time) => 1 + thread * 7 + time);
    await heavy.prepare({ ...server, connections: 1, requests });
    const latencies = { alone: [] as number[], beside: [] as number[] };
    await quiet.schedule(size.quietPerSecond, size.warmUpMilliseconds);
    for (let pair = 0; pair < size.pairs; pair += 1) {
      latencies.alone.push(...(await quiet.schedule(size.quietPerSecond, size.windowMilliseconds)).latencies);
      const threads = heavy.loop(server.processId, size.windowMilliseconds);
      latencies.beside.push(...(await quiet.schedule(size.quietPerSecond, size.windowMilliseconds)).latencies);
      await threads;
    }
    samples.write({ scenario: 'neighbours', kind: 'latency', ...latencies });
    return ranks.map((rank) => {
      const [alone, beside] = [percentile(latencies.alone, rank), percentile(latencies.beside, rank)];
      return {
        what: `what a small request waits longer beside threads of 1,000 answers, p${rank}`,
        measured: beside - alone,
        unit: 'ms',
        ...(rank === 99 ? { target: { atMost: stretchMilliseconds } } : {}),
        beside: `${beside.toFixed(2)} ms, alone ${alone.toFixed(2)} ms; ${latencies.beside.length} requests of each`,
      };
    });
  } finally {
    await stopAll(quiet, heavy);
  }
}
