/**
 * One event on its way to many sockets: the payload is encoded once, each transport's frame once per channel name.
 */
export interface EventName {
  readonly event: string;
  /** JSON text; undefined for events without a payload. */
  readonly payload: string | undefined;
}

export class StreamFrame {
  readonly event: string;
  readonly payload: string | undefined;
  /** Where a stream that lost its connection goes on: opaque to clients. */
  readonly id: string;
  private readonly webSocketFrames = new Map<string, string>();
  private sseFrame: string | undefined;
  private escapedPayload: string | undefined;

  constructor(event: string, payload: string | undefined, id: string) {
    this.event = event;
    this.payload = payload;
    this.id = id;
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
