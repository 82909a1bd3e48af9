/** A stream whose answers are lost, whose records come late, and which cannot be reached. */
import {
  type LogStream,
  type Published,
  type StoredRecord,
  StreamUnanswered,
} from '../../src/runtime/cluster/stream.ts';

const silence = new Error('the answer was lost');

type Fault = 'lost' | 'applied' | 'full';

export class UnreliableStream implements LogStream {
  private readonly stream: LogStream;
  private next: Fault | undefined;
  private isAway = false;
  /** What was published, with the position that it expected. */
  readonly published: { readonly record: Uint8Array; readonly last: number }[] = [];
  /** Called in the place of each publishing where it is set. */
  onPublish: ((record: Uint8Array, last: number) => Promise<Published>) | undefined;

  constructor(stream: LogStream) {
    this.stream = stream;
  }

  /** The next record has no answer, and is stored or not; nothing is answered until `heal`. */
  loseNext(applied: boolean): void {
    this.next = applied ? 'applied' : 'lost';
  }

  /** Records find no room until `heal`. */
  fill(): void {
    this.next = 'full';
  }

  leave(): void {
    this.isAway = true;
  }

  heal(): void {
    this.isAway = false;
    this.next = undefined;
  }

  recordBytesMax(): Promise<number> {
    return this.stream.recordBytesMax();
  }

  async publish(record: Uint8Array, last: number): Promise<Published> {
    this.published.push({ record, last });
    if (this.onPublish !== undefined) return await this.onPublish(record, last);
    const fault = this.next;
    if (fault !== 'full') this.next = undefined;
    if (fault === 'full') return { kind: 'full', cause: new Error('there is no room') };
    if (fault === 'lost' || fault === 'applied') this.isAway = true;
    if (this.isAway && fault !== 'applied') return { kind: 'unanswered', cause: silence };
    const published = await this.stream.publish(record, last);
    return this.isAway ? { kind: 'unanswered', cause: silence } : published;
  }

  bounds(): Promise<{ readonly first: number; readonly last: number }> {
    return this.reached(() => this.stream.bounds());
  }

  get(sequence: number): Promise<StoredRecord | undefined> {
    return this.reached(() => this.stream.get(sequence));
  }

  async *replay(from: number, to: number): AsyncGenerator<StoredRecord> {
    if (this.isAway) throw new StreamUnanswered(silence);
    yield* this.stream.replay(from, to);
  }

  truncate(before: number): Promise<void> {
    return this.reached(() => this.stream.truncate(before));
  }

  close(): Promise<void> {
    return this.stream.close();
  }

  private async reached<Value>(ask: () => Promise<Value>): Promise<Value> {
    if (this.isAway) throw new StreamUnanswered(silence);
    return await ask();
  }
}
