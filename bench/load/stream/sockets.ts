/** The streams of a part: opens them, cuts some off at once and opens those again, and comes back when the server ends one. */
import { LoadFailure } from '../failure.ts';
import { markerIn } from '../marker.ts';
import type { PartContext } from '../part.ts';
import type { Receipts } from '../run/receipts.ts';
import { idOfEvent, type OpenStream, type Stream, StreamRefused } from './open-stream.ts';
import type { StreamSettings } from './settings.ts';

const openAtOnce = 200;
/** As apps wait before they try again. */
const pauseMilliseconds = 1_000;
const addressOfSource = (number: number) => `127.0.${2 + Math.floor(number / 250)}.${(number % 250) + 1}`;

export interface SocketsInput {
  readonly settings: StreamSettings;
  readonly context: PartContext;
  readonly receipts: Receipts;
  /** How the stream with this number is opened. */
  readonly opener: (socket: number) => OpenStream;
  /** Under which name a receipt is counted. */
  readonly nameOf: (socket: number, dueAt: number) => string;
}

export class Sockets {
  private readonly input: SocketsInput;
  private readonly streams: (Stream | undefined)[] = [];
  private readonly lastIds: (string | undefined)[] = [];
  private isClosed = false;
  private byServer = 0;
  private hasIds = false;
  private withoutId = 0;

  constructor(input: SocketsInput) {
    this.input = input;
  }

  get closedByServer(): number {
    return this.byServer;
  }

  /** Whether the server gives events ids, so that streams can be resumed. */
  get resumable(): boolean {
    return this.hasIds;
  }

  /** Streams that were cut off before they had an event, and so could not say what they have. */
  get unresumable(): number {
    return this.withoutId;
  }

  /** Rejects with a LoadFailure when one cannot be opened. */
  async open(): Promise<void> {
    const { settings, context } = this.input;
    for (let first = 0; first < settings.sockets && !context.signal.aborted; first += openAtOnce) {
      const last = Math.min(first + openAtOnce, settings.sockets);
      await Promise.all(Array.from({ length: last - first }, (_, index) => this.openFirst(first + index)));
      context.tell(`${last} of ${settings.sockets} streams are open`);
    }
  }

  private async openFirst(socket: number): Promise<void> {
    try {
      await this.openOne(socket);
    } catch (error) {
      if (!(error instanceof StreamRefused)) throw error;
      const sentence = `Stream ${socket + 1} cannot be opened: ${error.message}.`;
      if (/429/.test(error.message)) throw new LoadFailure('rateLimited', sentence);
      if (/401|403/.test(error.message)) throw new LoadFailure('tokenRefused', sentence);
      if (/files|port/.test(error.message)) throw new LoadFailure('socketsExhausted', sentence);
      throw new LoadFailure('serverUnreachable', sentence);
    }
  }

  /** Cuts off those from `first` on, which come back over some seconds. Settles when all are back. */
  async storm(first: number, at: number): Promise<void> {
    const { settings, context } = this.input;
    const { sockets, stormWithinSeconds, stormResumes } = settings;
    const count = sockets - first;
    for (let socket = first; socket < sockets; socket += 1) {
      this.streams[socket]?.close();
      this.streams[socket] = undefined;
      if (!stormResumes) this.lastIds[socket] = undefined;
      if (this.lastIds[socket] === undefined) this.withoutId += 1;
    }
    await Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const dueAt = at + (stormWithinSeconds * 1_000 * index) / count;
        await pause(dueAt - performance.now());
        if (await this.comeBack(first + index, dueAt)) context.recorder.done('reconnected', dueAt);
      }),
    );
  }

  close(): void {
    this.isClosed = true;
    for (const stream of this.streams) stream?.close();
  }

  private async openOne(socket: number): Promise<void> {
    const { settings, context, receipts, opener, nameOf } = this.input;
    const { channel, tag, sourceAddresses, stormResumes } = settings;
    const { tokens } = context.target;
    const name = (dueAt: number) => nameOf(socket, dueAt);
    const request = {
      token: tokens[socket % tokens.length]!,
      channel,
      tag,
      since: stormResumes ? this.lastIds[socket] : undefined,
      localAddress: sourceAddresses === 1 ? undefined : addressOfSource(socket % sourceAddresses),
    };
    const stream = await opener(socket)(request, {
      event: (bytes) => {
        const id = stormResumes ? idOfEvent(bytes) : undefined;
        if (id !== undefined) {
          this.lastIds[socket] = id;
          this.hasIds = true;
        }
        const marker = markerIn(bytes);
        if (marker !== undefined) receipts.heard(socket, marker, name);
      },
      closed: () => this.lost(socket),
    });
    if (this.isClosed) stream.close();
    else this.streams[socket] = stream;
  }

  private lost(socket: number): void {
    this.streams[socket] = undefined;
    if (this.isClosed) return;
    this.byServer += 1;
    this.input.context.recorder.failed('stream', performance.now(), 'closed by the server');
    setTimeout(() => void this.comeBack(socket, performance.now()), pauseMilliseconds).unref();
  }

  /** Tries until it is open; false where the run has ended before. */
  private async comeBack(socket: number, dueAt: number): Promise<boolean> {
    const { recorder, signal } = this.input.context;
    while (!this.isClosed && !signal.aborted) {
      try {
        await this.openOne(socket);
        return !this.isClosed;
      } catch (error) {
        if (!(error instanceof StreamRefused)) throw error;
        recorder.failed('reconnected', dueAt, error.message);
      }
      await pause(pauseMilliseconds);
    }
    return false;
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, milliseconds)));
}
