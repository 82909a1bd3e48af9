/**
 * One event on its way to many sockets: the payload is encoded once, each transport's frame once per channel name.
 */
import { formatPosition, type Position } from './position.ts';

export class StreamFrame {
  readonly event: string;
  readonly payload: string | undefined;
  readonly position: Position;
  private readonly webSocketFrames = new Map<string, string>();
  private sseFrame: string | undefined;
  private escapedPayload: string | undefined;

  constructor(event: string, payload: string | undefined, position: Position) {
    this.event = event;
    this.payload = payload;
    this.position = position;
  }

  /** Where a stream that lost its connection goes on: opaque to clients. */
  get id(): string {
    return formatPosition(this.position);
  }

  /** `streamJson` is the encoded `stream` member. The extra key `id` is ignored by clients that do not know it. */
  webSocket(streamJson: string): string {
    const known = this.webSocketFrames.get(streamJson);
    if (known !== undefined) return known;
    if (this.payload !== undefined) this.escapedPayload ??= JSON.stringify(this.payload);
    const payload = this.payload === undefined ? '' : `,"payload":${this.escapedPayload}`;
    const frame = `{"stream":${streamJson},"event":"${this.event}"${payload},"id":"${this.id}"}`;
    this.webSocketFrames.set(streamJson, frame);
    return frame;
  }

  serverSent(): string {
    this.sseFrame ??= `id: ${this.id}\nevent: ${this.event}\ndata: ${this.payload ?? 'undefined'}\n\n`;
    return this.sseFrame;
  }
}
