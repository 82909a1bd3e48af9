/**
 * POST to receipt on many subscribed WebSockets, of as many accounts: the local timeline, and the home timelines of all who
 * follow one author. The reference publishes the bytes of a real event for every POST of the same schedule, so that both
 * publish the same number a tick. These are latencies: nothing is pinned.
 */
import { httpRequest } from '../generators/http-load.ts';
import { type Listeners, openListeners } from '../generators/listener-load.ts';
import type { PostsPlan, Receipts } from '../generators/listeners.ts';
import { markerPattern, markerText } from '../load/marker.ts';
import { ReceivingWebSocket } from '../load/stream/web-socket.ts';
import { median, percentile } from '../measure/statistics.ts';
import { type Child, openChild } from '../processes/child.ts';
import { type Server, startServer } from '../processes/server.ts';
import type { BareEvent } from '../references/bare-publish.ts';
import type { BenchContext, Figure, Scenario } from '../scenario.ts';
import { type CommunityFacts, communitySeed } from '../seed/community.ts';
import { statusText, tokenOf } from '../seed/people.ts';
import type { Size } from '../sizes.ts';
import { socketEventFigures } from './socket-events.ts';
import { percent, stopAll } from './words.ts';

const name = 'streaming';
const times = 1.5;
const moreMilliseconds = 3;
const deadlineMilliseconds = 5_000;

const channels = [
  { stream: 'public:local', words: 'the local timeline' },
  { stream: 'user', words: 'home timelines' },
] as const;
type Channel = (typeof channels)[number];
/** Posts come back to back there as well, as other servers were measured. */
const floodedStream: Channel['stream'] = 'public:local';

export const streamingScenario: Scenario = {
  name,
  summary: 'POST to receipt on subscribed WebSockets, against a bare uWebSockets publish of the same events',
  async run(context) {
    const data = await context.seeds.open(communitySeed(context.size.community));
    const { profileFolder } = context;
    const server = await startServer({ dataDirectory: data.dataDirectory, profileFolder });
    const running: Running = {
      server,
      facts: data.facts,
      bare: openChild(new URL('../references/bare-publish.ts', import.meta.url)),
      onServer: openListeners(),
      onBare: openListeners(),
    };
    try {
      const figures: Figure[] = [];
      for (const channel of channels) {
        figures.push(await channelFigure(context, running, channel));
        if (channel.stream === floodedStream)
          figures.push(
            ...(await socketEventFigures(context, { ...running, requests: requestsOf(data.facts, server) })),
          );
      }
      return figures;
    } finally {
      await stopAll(running.onServer, running.onBare, running.bare, server);
      data.remove();
    }
  },
};

interface Running {
  readonly server: Server;
  readonly facts: CommunityFacts;
  readonly bare: Child;
  readonly onServer: Listeners;
  readonly onBare: Listeners;
}

async function channelFigure({ size, samples }: BenchContext, running: Running, channel: Channel): Promise<Figure> {
  const { server, facts, bare, onServer, onBare } = running;
  const { host, port } = server;
  const tokens = facts.crowd.slice(0, size.listeners).map(tokenOf);
  const path = `/api/v1/streaming?stream=${channel.stream}`;
  const requests = requestsOf(facts, server);
  const event = await eventOf(server, path, tokens[0]!, requests[0]!);
  await onServer.open({ host, port, path, tokens });
  const barePort = await bare.ask<number>('listen', event);
  await onBare.open({ host, port: barePort, path, tokens });
  const warmUp = planOf({ ...size, bursts: size.warmUpBursts }, requests);
  for (const listeners of [onServer, onBare]) await listeners.post(warmUp);
  server.toggleProfile();
  const ours = await complete(onServer, planOf(size, requests));
  server.toggleProfile();
  const limit = await complete(onBare, planOf(size, requests));
  for (const [kind, { milliseconds, ...receipts }] of Object.entries({ server: ours, reference: limit }))
    samples.write({ scenario: name, channel: channel.stream, kind, ...receipts, milliseconds: [...milliseconds] });
  return figureOf(size, channel, ours, limit);
}

/** All by the author that everybody in the crowd follows. */
function requestsOf({ authors }: CommunityFacts, server: Server): string[] {
  return [0, 1, 2, 3].map((index) =>
    httpRequest('POST', server.host, '/api/v1/statuses', {
      token: tokenOf(authors[0]!),
      json: { status: `${markerText} ${statusText(index)}` },
    }),
  );
}

/** A real event as a socket gets it, cut where the marker goes. */
async function eventOf(server: Server, path: string, token: string, request: string): Promise<BareEvent> {
  const { host, port, origin } = server;
  const { promise: event, resolve: heard } = Promise.withResolvers<string>();
  const socket = await ReceivingWebSocket.open({ host, port, path, token }, (payload) => {
    const text = payload.toString();
    if (markerPattern.test(text)) heard(text);
  });
  const [head, body] = request.split('\r\n\r\n');
  await fetch(`${origin}/api/v1/statuses`, {
    method: 'POST',
    headers: {
      authorization: /Authorization: (.*)/.exec(head!)![1]!,
      'content-type': 'application/json',
    },
    body: body!.replace(markerText, 'bench~999999~'),
  });
  const text = await event;
  socket.close();
  const [before, ...after] = text.split('bench~999999~');
  return { before: before!, after: after.join('bench~999999~') };
}

function planOf(size: Size, requests: readonly string[]): PostsPlan {
  const { bursts, postsPerBurst, burstsPerSecond } = size;
  return { bursts, postsPerBurst, burstsPerSecond, requests, deadlineMilliseconds };
}

/** Throws when a socket did not get an event. */
async function complete(listeners: Listeners, plan: PostsPlan): Promise<Receipts> {
  const receipts = await listeners.post(plan);
  const { received, expected, failures } = receipts;
  if (failures > 0 || received !== expected)
    throw new Error(`${failures} posts failed, ${received} of ${expected} events arrived`);
  return receipts;
}

function figureOf(size: Size, channel: Channel, ours: Receipts, limit: Receipts): Figure {
  const bareP99 = percentile(limit.milliseconds, 99);
  const rate = size.burstsPerSecond * size.postsPerBurst;
  return {
    what: `POST to receipt on ${size.listeners} WebSockets, ${channel.words}, p99 at ${rate} posts/s in bursts of ${size.postsPerBurst}`,
    measured: percentile(ours.milliseconds, 99),
    unit: 'ms',
    target: { atMost: bareP99 * times + moreMilliseconds },
    beside: `bare publish ${bareP99.toFixed(1)} ms; medians ${median(ours.milliseconds).toFixed(1)} and ${median(limit.milliseconds).toFixed(1)} ms; generator busy ${percent(ours.busyShare)}`,
  };
}
