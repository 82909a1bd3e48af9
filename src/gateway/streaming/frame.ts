/**
 * One event on its way to many sockets: the payload is encoded once, each transport's frame once per channel.
 *
 * INVARIANT: the id of an event depends on the channel's kind, never on the socket, so that a frame serves all sockets of
 * a channel. In an account's channel it names the event's place in the one log that the channel follows; in one that
 * merges all logs it names how far each of them had come.
 */
import type { Id } from '../../runtime/ids.ts';
import { type Channel, isOfAccount } from './channels.ts';
import { noPayload, type Payload } from './payloads.ts';

/**
 * A comment behind each server-sent event. The HTTP library sends the line end that closes a chunk with the next chunk, and
 * readers such as urllib3 hand over the last byte only then: let that be a byte of the comment, not of the event.
 */
export const eventEnd = ':\n';

export interface FrameIds {
  /** In channels of an account. */
  readonly own: string;
  /** In channels that merge all partitions. */
  readonly merged: string;
}

export class StreamFrame {
  readonly event: string;
  readonly payload: Payload | undefined;
  /** Of an event about a status. */
  readonly statusId: Id | undefined;
  private readonly ids: FrameIds;
  private readonly webSocketFrames = new Map<Channel['key'], Uint8Array>();
  private readonly serverSentFrames = new Map<string, Uint8Array>();

  constructor(event: string, payload: Payload | undefined, ids: FrameIds, statusId?: Id) {
    this.event = event;
    this.payload = payload === noPayload ? undefined : payload;
    this.ids = ids;
    this.statusId = statusId;
  }

  /** The extra key `id` is ignored by clients that do not know it. */
  webSocket(channel: Channel): Uint8Array {
    const known = this.webSocketFrames.get(channel.key);
    if (known !== undefined) return known;
    const payload = this.payload === undefined ? '' : `,"payload":${this.payload.escaped}`;
    const { streamJson } = channel;
    const frame = Buffer.from(
      `{"stream":${streamJson},"event":"${this.event}"${payload},"id":"${this.idIn(channel)}"}`,
    );
    this.webSocketFrames.set(channel.key, frame);
    return frame;
  }

  serverSent(channel: Channel): Uint8Array {
    const id = this.idIn(channel);
    const known = this.serverSentFrames.get(id);
    if (known !== undefined) return known;
    const frame = Buffer.from(
      `id: ${id}\nevent: ${this.event}\ndata: ${this.payload?.json ?? 'undefined'}\n\n${eventEnd}`,
    );
    this.serverSentFrames.set(id, frame);
    return frame;
  }

  /** Where a stream that lost its connection goes on: opaque to clients. */
  private idIn(channel: Channel): string {
    return isOfAccount(channel) ? this.ids.own : this.ids.merged;
  }
}
