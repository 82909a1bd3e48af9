/**
 * One event for many sockets: the payload is encoded once, each transport's frame once per channel.
 *
 * INVARIANT: the id of an event depends on the logs that its stream follows, never on the socket, so that a frame
 * serves all sockets of a channel. For a stream that follows the log of its account's partition it is the event's
 * position there; for one that merges all logs it contains the position in each.
 */
import type { Id } from '../../runtime/ids.ts';
import type { Channel } from './channels.ts';
import { noPayload, Payload } from './payloads.ts';

/**
 * A comment after each server-sent event. The HTTP library sends the line end that closes a chunk with the next chunk,
 * and readers such as urllib3 deliver the last byte only then: this makes it a byte of the comment, not of the event.
 */
export const eventEnd = ':\n';

/** How a frame is sent over a WebSocket: as text, compressed where that was agreed upon. */
export const compressed = [false, true] as const;

export interface FrameIds {
  /** For streams that follow the log of their account's partition. */
  readonly own: string;
  /** For those that merge the logs of all partitions. */
  readonly merged: string;
}

/** The recipients of a frame: sockets with an equal channel that follow the same logs share it. */
export interface FrameTarget {
  readonly channel: Channel;
  readonly mergesLogs: boolean;
}

export class StreamFrame {
  readonly event: string;
  readonly payload: Payload | undefined;
  /** For an event about a status. */
  readonly statusId: Id | undefined;
  /** Undefined for what cannot be replayed. */
  private readonly ids: FrameIds | undefined;
  private readonly webSocketFrames = {
    own: new Map<Channel['key'], Uint8Array>(),
    merged: new Map<Channel['key'], Uint8Array>(),
  };
  private readonly serverSentFrames = new Map<string, Uint8Array>();

  constructor(event: string, payload: Payload | undefined, ids: FrameIds | undefined, statusId?: Id) {
    this.event = event;
    this.payload = payload === noPayload ? undefined : payload;
    this.ids = ids;
    this.statusId = statusId;
  }

  /** The extra key `id` is ignored by clients that do not know it. */
  webSocket({ channel, mergesLogs }: FrameTarget): Uint8Array {
    const logs = mergesLogs ? 'merged' : 'own';
    const frames = this.webSocketFrames[logs];
    const known = frames.get(channel.key);
    if (known !== undefined) return known;
    const payload = this.payload === undefined ? '' : `,"payload":${this.payload.escaped}`;
    const { streamJson } = channel;
    const id = this.ids === undefined ? '' : `,"id":"${this.ids[logs]}"`;
    const frame = Buffer.from(`{"stream":${streamJson},"event":"${this.event}"${payload}${id}}`);
    frames.set(channel.key, frame);
    return frame;
  }

  /** The id comes last: some clients take an event for one only if it begins with its name, as in Mastodon. */
  serverSent({ mergesLogs }: Pick<FrameTarget, 'mergesLogs'>): Uint8Array {
    const id = this.ids?.[mergesLogs ? 'merged' : 'own'] ?? '';
    const known = this.serverSentFrames.get(id);
    if (known !== undefined) return known;
    const named = id === '' ? '' : `id: ${id}\n`;
    const frame = Buffer.from(`${this.twoLines()}${named}\n${eventEnd}`);
    this.serverSentFrames.set(id, frame);
    return frame;
  }

  /** A server-sent event as Mastodon sends it, without an id and the line end that closes it. */
  twoLines(): string {
    return `event: ${this.event}\ndata: ${this.payload?.json ?? noPayload.json}\n`;
  }
}

/** Tells a client that it has missed something: it reads its lists again. */
export function gapFrame(ids: FrameIds): StreamFrame {
  return new StreamFrame('gap', new Payload('{}'), ids);
}
