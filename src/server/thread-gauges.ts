/** Metrics of gateway and network threads, besides those of every thread. */

import { relayDrops } from '../federation/relay/relay-entry.ts';
import { threadOutcomes } from '../federation/remote-objects/thread-steps.ts';
import type { HttpServer } from '../gateway/http/server.ts';
import { channelKinds } from '../gateway/streaming/channels.ts';
import type { StreamHub } from '../gateway/streaming/hub.ts';
import type { LaneCounts } from '../outbound/lanes/lane-report.ts';
import { verdicts } from '../outbound/lanes/outcome.ts';
import { mailDrops } from '../outbound/mail/ports.ts';
import { remoteMediaOutcomes } from '../outbound/media/remote-files.ts';
import { pushDrops } from '../outbound/web-push/ports.ts';
import { webhookDrops } from '../outbound/webhooks/ports.ts';
import { counter, gauge } from '../runtime/metrics/metric.ts';
import type { Metrics } from '../runtime/metrics/metrics.ts';
import type { Problem } from '../runtime/ports.ts';
import type { NetworkCounters, NetworkRole } from './network-role.ts';

const connectionsOpen = gauge({
  name: 'http_connections',
  help: 'Open HTTP connections, without WebSockets',
});
const requestsInFlight = gauge({ name: 'requests_in_flight', help: 'Requests that are not answered yet' });
const bodiesInFlight = gauge({
  name: 'request_bodies',
  unit: 'bytes',
  help: 'Bytes received of incomplete request bodies',
});
const filesReceived = gauge({ name: 'uploads', help: 'Forms with files that are being received' });
const uploadsUnwritten = gauge({
  name: 'uploads_unwritten',
  unit: 'bytes',
  help: 'Memory of uploads that are not written to disk yet',
});
const filesSent = gauge({ name: 'downloads', help: 'Files that are being sent' });
const overloaded = gauge({
  name: 'overloaded',
  help: '1 while requests that change something are refused because of overload',
});
const streamsOpen = gauge({ name: 'streams', help: 'Open streams of clients, WebSockets and server-sent events' });
const channelsOpen = gauge({
  name: 'stream_channels',
  labels: ['channel'],
  help: 'Open channels of streams, by kind: a WebSocket may have several',
});
const channelBytes = gauge({
  name: 'stream_channel',
  unit: 'bytes',
  labels: ['channel'],
  help: 'What waits for the clients of channels, by kind; a client with several channels counts for each',
});
const lanesByState = gauge({
  name: 'lanes',
  labels: ['state'],
  help: 'Delivery lanes (remote hosts) of this thread, by state',
});
const deliveriesPending = gauge({
  name: 'deliveries_pending',
  help: 'Pending deliveries in the queues of this thread',
});

const deliveryAttempts = counter({
  name: 'delivery_attempts',
  labels: ['outcome'],
  help: 'Delivery requests to remote hosts, by outcome',
});

const remoteMediaKept = gauge({
  name: 'remote_media',
  unit: 'bytes',
  help: 'Disk space of copies of media of other servers',
});
const remoteMediaAsked = counter({
  name: 'remote_media_requests',
  labels: ['outcome'],
  help: 'Requests for media of other servers, by outcome; parallel ones for the same file count once',
});
const remoteMediaEvicted = counter({
  name: 'remote_media_evicted',
  unit: 'bytes',
  help: 'Copies of media of other servers that were removed because their space was needed',
});

const threadSteps = counter({
  name: 'thread_requests',
  labels: ['outcome'],
  help: 'Requests to other servers for threads that somebody reads, by what they brought',
});

const statusesForgotten = counter({
  name: 'remote_statuses_forgotten',
  help: 'Old posts of other servers that were forgotten because nobody here uses them',
});

const waitsShortened = counter({
  name: 'delivery_waits_shortened',
  help: 'Waits of failing remote hosts that were shortened because a signed request of the host was verified',
});

const pushLanesByState = gauge({
  name: 'push_lanes',
  labels: ['state'],
  help: 'Lanes of push services of this thread, by state',
});
const pushesPending = gauge({ name: 'pushes_pending', help: 'Pending push messages in the queues of this thread' });

const pushAttempts = counter({
  name: 'push_attempts',
  labels: ['outcome'],
  help: 'Requests to push services, by outcome',
});

const pushesDropped = counter({
  name: 'pushes_dropped',
  labels: ['reason'],
  help: 'Push messages that were not sent because of a bound, by the bound',
});

const relayLanesByState = gauge({
  name: 'relay_lanes',
  labels: ['state'],
  help: 'Lanes of subscribers to the relay, of this thread, by state',
});
const relayPending = gauge({
  name: 'relay_pending',
  help: 'Pending deliveries of the relay in the queues of this thread',
});

const relayAttempts = counter({
  name: 'relay_attempts',
  labels: ['outcome'],
  help: 'Requests of the relay to subscribers, by outcome',
});

const relayDropped = counter({
  name: 'relay_dropped',
  labels: ['reason'],
  help: 'Deliveries of the relay that were not sent, by reason',
});

const mailLanesByState = gauge({
  name: 'mail_lanes',
  labels: ['state'],
  help: 'Lanes of mail (hosts of e-mail addresses) of this thread, by state',
});
const mailsPending = gauge({ name: 'mails_pending', help: 'Pending mails in the queues of this thread' });

const mailAttempts = counter({
  name: 'mail_attempts',
  labels: ['outcome'],
  help: 'Attempts to send a mail, by outcome',
});

const mailsDropped = counter({
  name: 'mails_dropped',
  labels: ['reason'],
  help: 'Mails that were not sent because an address refuses them or because of a bound, by the reason',
});

const webhookLanesByState = gauge({
  name: 'webhook_lanes',
  labels: ['state'],
  help: 'Lanes of webhooks of this thread, by state',
});
const webhooksPending = gauge({
  name: 'webhooks_pending',
  help: 'What waits for webhooks in the queues of this thread',
});

const webhookAttempts = counter({
  name: 'webhook_attempts',
  labels: ['outcome'],
  help: 'Requests to webhooks, by outcome',
});

const webhooksDropped = counter({
  name: 'webhooks_dropped',
  labels: ['reason'],
  help: 'What webhooks were not told because of a bound, by the bound',
});

export interface MeasuredGateway {
  readonly server: Pick<HttpServer<unknown>, 'load' | 'files' | 'isOverloaded'>;
  readonly streams: Pick<StreamHub, 'connectionCount' | 'openedOf' | 'waitingBytes'>;
  report(problem: Problem): void;
}

/** Every socket is asked how much waits for it: in one sample of so many. */
const samplesPerLook = 4;

/** One line at the beginning and one at the end; refusals are counted. */
const overloadSentence: Readonly<Record<string, string>> = {
  true: 'overloaded: requests that change something are refused with 503',
  false: 'no longer overloaded',
};

export function sampleGateway(metrics: Metrics, { server, streams, report }: MeasuredGateway): void {
  let wasOverloaded = false;
  metrics.sampled(overloaded, [], () => {
    const { isOverloaded } = server;
    if (isOverloaded !== wasOverloaded) report({ level: 'warn', message: overloadSentence[String(isOverloaded)]! });
    wasOverloaded = isOverloaded;
    return isOverloaded ? 1 : 0;
  });
  metrics.sampled(connectionsOpen, [], () => server.load.connections);
  metrics.sampled(requestsInFlight, [], () => server.load.requests);
  metrics.sampled(bodiesInFlight, [], () => server.load.bodyBytes);
  metrics.sampled(filesReceived, [], () => server.files.received);
  metrics.sampled(uploadsUnwritten, [], () => server.files.unwrittenBytes);
  metrics.sampled(filesSent, [], () => server.files.sent);
  metrics.sampled(streamsOpen, [], () => streams.connectionCount);
  for (const { name } of channelKinds) metrics.sampled(channelsOpen, [name], () => streams.openedOf(name));
  let samples = 0;
  metrics.onSample(() => {
    samples += 1;
    if (samples % samplesPerLook !== 1) return;
    const waiting = streams.waitingBytes();
    for (const { name } of channelKinds) metrics.gauge(channelBytes, name).set(waiting.get(name) ?? 0);
  });
}

type SampledNetwork = Pick<
  NetworkRole,
  'countLanes' | 'countPushLanes' | 'countRelayLanes' | 'countMailLanes' | 'countWebhookLanes' | 'mediaBytes'
>;

export function sampleNetwork(metrics: Metrics, role: SampledNetwork): void {
  metrics.sampled(remoteMediaKept, [], () => role.mediaBytes());
  const sample = (byState: typeof lanesByState, waiting: typeof deliveriesPending, counts: LaneCounts) => {
    for (const [state, count] of counts.states) metrics.gauge(byState, state).set(count);
    metrics.gauge(waiting).set(counts.pending);
  };
  metrics.onSample(() => {
    sample(lanesByState, deliveriesPending, role.countLanes());
    sample(pushLanesByState, pushesPending, role.countPushLanes());
    sample(relayLanesByState, relayPending, role.countRelayLanes());
    sample(mailLanesByState, mailsPending, role.countMailLanes());
    sample(webhookLanesByState, webhooksPending, role.countWebhookLanes());
  });
}

export function networkCounters(metrics: Metrics): NetworkCounters {
  const byVerdict = (attempts: typeof deliveryAttempts) =>
    new Map(verdicts.map((verdict) => [verdict, metrics.counter(attempts, verdict)]));
  const shortened = metrics.counter(waitsShortened);
  const asked = new Map(remoteMediaOutcomes.map((outcome) => [outcome, metrics.counter(remoteMediaAsked, outcome)]));
  const evicted = metrics.counter(remoteMediaEvicted);
  const deliveries = byVerdict(deliveryAttempts);
  const pushes = byVerdict(pushAttempts);
  const relayed = byVerdict(relayAttempts);
  const relayDrop = new Map(relayDrops.map((why) => [why, metrics.counter(relayDropped, why)]));
  const drops = new Map(pushDrops.map((why) => [why, metrics.counter(pushesDropped, why)]));
  const mails = byVerdict(mailAttempts);
  const mailsNotSent = new Map(mailDrops.map((why) => [why, metrics.counter(mailsDropped, why)]));
  const webhooks = byVerdict(webhookAttempts);
  const webhookDrop = new Map(webhookDrops.map((why) => [why, metrics.counter(webhooksDropped, why)]));
  const steps = new Map(threadOutcomes.map((outcome) => [outcome, metrics.counter(threadSteps, outcome)]));
  const forgotten = metrics.counter(statusesForgotten);
  const waitShortened = () => shortened.add();
  return {
    deliveries: { waitShortened, attempted: (verdict) => deliveries.get(verdict)!.add() },
    pushes: {
      waitShortened,
      attempted: (verdict) => pushes.get(verdict)!.add(),
      dropped: (why) => drops.get(why)!.add(),
    },
    relay: {
      waitShortened,
      attempted: (verdict) => relayed.get(verdict)!.add(),
      dropped: (why) => relayDrop.get(why)!.add(),
    },
    mails: {
      waitShortened,
      attempted: (verdict) => mails.get(verdict)!.add(),
      dropped: (why) => mailsNotSent.get(why)!.add(),
    },
    webhooks: {
      waitShortened,
      attempted: (verdict) => webhooks.get(verdict)!.add(),
      dropped: (why) => webhookDrop.get(why)!.add(),
    },
    threads: { stepped: (outcome) => steps.get(outcome)!.add() },
    retention: { statusesForgotten: (count) => forgotten.add(count) },
    media: {
      mediaAsked: (outcome) => asked.get(outcome)!.add(),
      mediaEvicted: (bytes) => evicted.add(bytes),
    },
  };
}
