/** Opens streams, posts at a rate, and measures from when a post was due to when each stream has it. */
import { checkTokens } from '../http/check-tokens.ts';
import { Client } from '../http/client.ts';
import { textOf } from '../http/session.ts';
import type { Part, PartContext, RunTimes } from '../part.ts';
import { arrivalsBetween, arrive } from '../run/arrivals.ts';
import { Receipts } from '../run/receipts.ts';
import { type ServerSentEvents, serverSentEvents, webSocketOpener } from './open-stream.ts';
import type { StreamSettings } from './settings.ts';
import { Sockets } from './sockets.ts';

const connections = 16;
const lookMilliseconds = 100;
/** Without a receipt for so long, nothing more comes. */
const quietMilliseconds = 1_000;
/** Events of posts that are due so long after the streams were cut off count as live during the storm. */
const stormMillisecondsMin = 5_000;

export class StreamPart implements Part {
  private readonly settings: StreamSettings;
  private readonly context: PartContext;
  private readonly client: Client;
  private readonly receipts: Receipts;
  private readonly sockets: Sockets;
  private readonly serverSent: ServerSentEvents;
  /** The first of those that are cut off. */
  private readonly firstOfStorm: number;
  private storm = { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY };
  private backAfterSeconds: number | undefined;

  constructor(settings: StreamSettings, context: PartContext) {
    const { target, recorder } = context;
    const { sockets, timeoutSeconds, transport, channel, posters, stormSockets } = settings;
    this.settings = settings;
    this.context = context;
    this.client = new Client({ target, recorder, connections, timeoutSeconds });
    this.receipts = new Receipts({ recorder, listeners: sockets, posters, everybodyGetsAll: channel !== 'user' });
    this.firstOfStorm = Math.max(0, sockets - stormSockets);
    const address = new URL(settings.streamingAddress ?? target.origin);
    this.serverSent = serverSentEvents(target, address, timeoutSeconds);
    const webSocket = webSocketOpener(target, address, timeoutSeconds);
    const isSse = (socket: number) => transport === 'sse' || (transport === 'both' && socket % 2 === 1);
    this.sockets = new Sockets({
      settings,
      context,
      receipts: this.receipts,
      opener: (socket) => (isSse(socket) ? this.serverSent.open : webSocket),
      nameOf: (socket, dueAt) => this.nameOf(socket, dueAt),
    });
  }

  async open(): Promise<void> {
    await checkTokens(this.context.target, this.settings.timeoutSeconds);
    await this.sockets.open();
  }

  async run(times: RunTimes): Promise<void> {
    const { measuredFrom, endAt, signal } = times;
    const { rate, stormAtSeconds } = this.settings;
    const posts: Promise<void>[] = [];
    const stormAt = measuredFrom + stormAtSeconds * 1_000;
    const stormTimer =
      this.firstOfStorm < this.settings.sockets && stormAt < endAt
        ? setTimeout(() => void this.runStorm(stormAt), Math.max(0, stormAt - performance.now()))
        : undefined;
    // The posts of one author go one after the other: their order is that in which streams are to get them.
    const lastOf = new Map<number, Promise<void>>();
    await arrive({ ...times, rate }, (dueAt, number) => {
      const poster = number % this.settings.posters;
      const marker = this.context.nextNumber();
      this.receipts.due(marker, poster, dueAt);
      const post = (lastOf.get(poster) ?? Promise.resolve()).then(() => this.post(dueAt, marker, poster));
      lastOf.set(poster, post);
      posts.push(post);
    });
    if (signal.aborted) clearTimeout(stormTimer);
    await Promise.all(posts);
    await this.untilQuiet(signal);
  }

  facts(seconds: number) {
    const { rate, sockets } = this.settings;
    const hasStorm = this.firstOfStorm < sockets;
    return {
      postsAsked: Math.round(arrivalsBetween(rate, 0, seconds)),
      streams: sockets,
      closedByServer: this.sockets.closedByServer,
      // Of the whole run, its warm-up included.
      receipts: this.receipts.facts((socket) => socket < this.firstOfStorm),
      ...(hasStorm
        ? {
            storm: {
              streams: sockets - this.firstOfStorm,
              unresumable: this.sockets.unresumable,
              resumed: this.settings.stormResumes && this.sockets.resumable,
              backAfterSeconds: this.backAfterSeconds,
              receipts: this.receipts.facts((socket) => socket >= this.firstOfStorm),
            },
          }
        : {}),
    };
  }

  warnings(): readonly string[] {
    const isStormUnresumed =
      this.firstOfStorm < this.settings.sockets && this.settings.stormResumes && !this.sockets.resumable;
    return isStormUnresumed
      ? [
          'The server gives events no ids: streams that came back could not say what they had, and miss what was sent meanwhile.',
        ]
      : [];
  }

  async close(): Promise<void> {
    this.sockets.close();
    await Promise.all([this.client.close(), this.serverSent.close()]);
  }

  private nameOf(socket: number, dueAt: number): string {
    if (socket >= this.firstOfStorm) return 'receipt, those that came back';
    return dueAt >= this.storm.from && dueAt < this.storm.to ? 'receipt during the storm' : 'receipt';
  }

  private async post(dueAt: number, marker: number, poster: number): Promise<void> {
    const { target } = this.context;
    const answer = await this.client.send({
      name: 'post',
      method: 'POST',
      path: '/api/v1/statuses',
      token: target.tokens[poster % target.tokens.length],
      body: Buffer.from(JSON.stringify({ status: textOf(marker), visibility: 'public' })),
      contentType: 'application/json',
      dueAt,
    });
    if (answer !== undefined && answer.status < 300) this.receipts.accepted(marker);
  }

  private async runStorm(at: number): Promise<void> {
    this.storm = { from: at, to: Number.POSITIVE_INFINITY };
    await this.sockets.storm(this.firstOfStorm, at);
    this.backAfterSeconds = (performance.now() - at) / 1_000;
    this.storm = { from: at, to: Math.max(performance.now(), at + stormMillisecondsMin) };
  }

  private async untilQuiet(signal: AbortSignal): Promise<void> {
    const deadline = performance.now() + this.settings.timeoutSeconds * 1_000;
    let quietSince = performance.now();
    for (let before = -1; performance.now() < deadline && !signal.aborted; ) {
      if (this.receipts.count !== before) quietSince = performance.now();
      else if (performance.now() - quietSince > quietMilliseconds) return;
      before = this.receipts.count;
      await new Promise((resolve) => setTimeout(resolve, lookMilliseconds));
    }
  }
}
