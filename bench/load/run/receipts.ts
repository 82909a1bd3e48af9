/**
 * Which listener, a stream or a server, has received which post: latency from the moment at which the post was due, what came twice, what came out of
 * the order of its author, and what is missing.
 */
import type { Recorder } from './recorder.ts';

export interface ReceiptFacts {
  readonly posts: number;
  readonly received: number;
  readonly missing: number;
  readonly doubled: number;
  readonly outOfOrder: number;
}

interface Post {
  readonly index: number;
  readonly poster: number;
  readonly dueAt: number;
  wasAccepted: boolean;
}

interface Listener {
  /** A bit for each post. */
  heard: Uint8Array;
  /** Index of the first and the last post of each poster that it has heard. */
  readonly first: Int32Array;
  readonly last: Int32Array;
  doubled: number;
  outOfOrder: number;
  received: number;
}

const firstBytes = 16;

export class Receipts {
  private readonly recorder: Recorder;
  private readonly everybodyGetsAll: boolean;
  private readonly posts: Post[] = [];
  private readonly byNumber = new Map<number, Post>();
  private readonly listeners: readonly Listener[];
  private total = 0;

  constructor(input: {
    readonly recorder: Recorder;
    readonly listeners: number;
    readonly posters: number;
    /** Otherwise a listener is to get what an author posts from the first post on that it gets of it. */
    readonly everybodyGetsAll: boolean;
  }) {
    this.recorder = input.recorder;
    this.everybodyGetsAll = input.everybodyGetsAll;
    this.listeners = Array.from({ length: input.listeners }, () => ({
      heard: new Uint8Array(firstBytes),
      first: new Int32Array(input.posters).fill(-1),
      last: new Int32Array(input.posters).fill(-1),
      doubled: 0,
      outOfOrder: 0,
      received: 0,
    }));
  }

  /** Of all listeners, so far. */
  get count(): number {
    return this.total;
  }

  due(number: number, poster: number, dueAt: number): void {
    const post = { index: this.posts.length, poster, dueAt, wasAccepted: false };
    this.posts.push(post);
    this.byNumber.set(number, post);
  }

  accepted(number: number): void {
    const post = this.byNumber.get(number);
    if (post !== undefined) post.wasAccepted = true;
  }

  /** `nameAt` says under which name the latency of a post is recorded. */
  heard(from: number, number: number, nameAt: (dueAt: number) => string): void {
    const post = this.byNumber.get(number);
    const listener = this.listeners[from];
    if (post === undefined || listener === undefined) return;
    if (!hear(listener, post.index)) {
      listener.doubled += 1;
      return;
    }
    listener.received += 1;
    this.total += 1;
    if (post.index < listener.last[post.poster]!) listener.outOfOrder += 1;
    else listener.last[post.poster] = post.index;
    if (listener.first[post.poster] === -1) listener.first[post.poster] = post.index;
    this.recorder.done(nameAt(post.dueAt), post.dueAt);
  }

  /** Of the listeners that `isMeant` names by their numbers. */
  facts(isMeant: (listener: number) => boolean): ReceiptFacts {
    const accepted = this.posts.filter(({ wasAccepted }) => wasAccepted);
    const sums = { posts: accepted.length, received: 0, missing: 0, doubled: 0, outOfOrder: 0 };
    for (const [number, listener] of this.listeners.entries()) {
      if (!isMeant(number)) continue;
      sums.received += listener.received;
      sums.doubled += listener.doubled;
      sums.outOfOrder += listener.outOfOrder;
      sums.missing += accepted.filter((post) => this.isDue(listener, post) && !hasHeard(listener, post.index)).length;
    }
    return sums;
  }

  private isDue({ first }: Listener, { poster, index }: Post): boolean {
    if (this.everybodyGetsAll) return true;
    const since = first[poster]!;
    return since !== -1 && index >= since;
  }
}

/** False where it was heard before. */
function hear(listener: Listener, index: number): boolean {
  if (hasHeard(listener, index)) return false;
  const at = index >>> 3;
  if (at >= listener.heard.length) {
    const longer = new Uint8Array(Math.max(at + 1, listener.heard.length * 2));
    longer.set(listener.heard);
    listener.heard = longer;
  }
  listener.heard[at]! |= 1 << (index & 7);
  return true;
}

function hasHeard({ heard }: Listener, index: number): boolean {
  return ((heard[index >>> 3] ?? 0) & (1 << (index & 7))) !== 0;
}
