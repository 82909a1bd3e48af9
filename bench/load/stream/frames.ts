/** Reads the frames that a server sends on a WebSocket (RFC 6455 section 5.2), as far as a load generator needs them. */

const finalBit = 0x80;
const lengthBits = 0x7f;
const textOpcode = 0x1;
export const pingOpcode = 0x9;

export interface FrameListener {
  /** The payload is a view that is gone after the call. */
  text(payload: Buffer): void;
  control(opcode: number): void;
}

export class FrameReader {
  private rest: Buffer = Buffer.alloc(0);
  private readonly listener: FrameListener;

  constructor(listener: FrameListener) {
    this.listener = listener;
  }

  /** Bytes as they came from the socket; frames may begin and end anywhere. Throws for a fragmented message. */
  received(chunk: Buffer): void {
    const bytes = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    let offset = 0;
    for (;;) {
      const end = this.readFrame(bytes, offset);
      if (end === undefined) break;
      offset = end;
    }
    this.rest = offset === bytes.length ? Buffer.alloc(0) : Buffer.from(bytes.subarray(offset));
  }

  /** Where the frame at `offset` ends; undefined when it is not all there. */
  private readFrame(bytes: Buffer, offset: number): number | undefined {
    if (bytes.length < offset + 2) return undefined;
    const first = bytes[offset]!;
    let length = bytes[offset + 1]! & lengthBits;
    let start = offset + 2;
    if (length === 126) {
      if (bytes.length < start + 2) return undefined;
      length = bytes.readUInt16BE(start);
      start += 2;
    } else if (length === 127) {
      if (bytes.length < start + 8) return undefined;
      length = Number(bytes.readBigUInt64BE(start));
      start += 8;
    }
    if (bytes.length < start + length) return undefined;
    if ((first & finalBit) === 0) throw new Error('a fragmented message is not expected');
    const opcode = first & 0xf;
    if (opcode === textOpcode) this.listener.text(bytes.subarray(start, start + length));
    else this.listener.control(opcode);
    return start + length;
  }
}
