/**
 * Measures what waits unread at the other end of a link. Each end counts the arrays that it has read in shared memory,
 * and the sender knows their sizes. This shows a hung or slow thread before its port fills the memory.
 */
import { threadLimits } from '../limits.ts';
import { Fifo } from '../partition/fifo.ts';
import type { LinkBacklog } from './link.ts';

interface Sent {
  readonly messages: number;
  readonly bytes: number;
}

export function allocateBacklog(): SharedArrayBuffer {
  return new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT);
}

export class Backlog implements LinkBacklog {
  private readonly words: Int32Array;
  private readonly side: 0 | 1;
  private readonly unread = new Fifo<Sent>();
  private readCount = 0;
  private messages = 0;
  private bytes = 0;

  constructor(memory: SharedArrayBuffer, side: 0 | 1) {
    this.words = new Int32Array(memory);
    this.side = side;
  }

  sent(messages: number, bytes: number): void {
    this.unread.push({ messages, bytes });
    this.messages += messages;
    this.bytes += bytes;
    this.settle();
  }

  /** An array from the other end was read here. */
  received(): void {
    Atomics.add(this.words, this.side, 1);
  }

  get isFull(): boolean {
    return this.holds(1);
  }

  get isHalfFull(): boolean {
    return this.holds(0.5);
  }

  get messagesUnread(): number {
    this.settle();
    return this.messages;
  }

  get bytesUnread(): number {
    this.settle();
    return this.bytes;
  }

  private holds(share: number): boolean {
    this.settle();
    const { linkMessagesMax, linkBytesMax } = threadLimits;
    return this.messages >= linkMessagesMax * share || this.bytes >= linkBytesMax * share;
  }

  private settle(): void {
    const readCount = Atomics.load(this.words, 1 - this.side);
    while (this.readCount !== readCount) {
      const { messages, bytes } = this.unread.shift()!;
      this.messages -= messages;
      this.bytes -= bytes;
      this.readCount = (this.readCount + 1) | 0;
    }
  }
}
