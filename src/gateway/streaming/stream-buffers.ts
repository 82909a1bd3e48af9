/**
 * Bounds the bytes that wait for all slow streams together. Above the bound the streams with the most are closed at
 * once, without a close code: the code would have to wait behind the data that is to be dropped. Clients resume from
 * the last event they have read.
 *
 * INVARIANT: the total is at most a quarter above the bound, because it is checked after that much was written.
 */
import type { Problem } from '../../runtime/ports.ts';
import type { Connection } from './subscriber.ts';

export interface StreamBuffersOptions {
  readonly bytesMax: number;
  readonly connections: ReadonlySet<Connection>;
  report(problem: Problem): void;
}

export class StreamBuffers {
  private readonly options: StreamBuffersOptions;
  private written = 0;

  constructor(options: StreamBuffersOptions) {
    this.options = options;
  }

  /** Bytes that wait now. */
  get bytes(): number {
    let total = 0;
    for (const { bufferedBytes = 0 } of this.options.connections) total += bufferedBytes;
    return total;
  }

  /** Call after writing to sockets, whether they have taken the bytes or not. */
  wrote(bytes: number): void {
    this.written += bytes;
    if (this.written * 4 <= this.options.bytesMax) return;
    this.written = 0;
    this.closeLargest();
  }

  private closeLargest(): void {
    const { bytesMax, connections, report } = this.options;
    const total = this.bytes;
    if (total <= bytesMax) return;
    const slow = [...connections].flatMap((connection) => {
      const { bufferedBytes = 0 } = connection;
      return bufferedBytes === 0 ? [] : { connection, bufferedBytes };
    });
    slow.sort((one, other) => other.bufferedBytes - one.bufferedBytes);
    let left = total;
    let closed = 0;
    for (; left > bytesMax; closed += 1) {
      const { connection, bufferedBytes } = slow[closed]!;
      left -= bufferedBytes;
      connection.close('slow');
    }
    const message = `closed ${closed} slow streams: ${total} bytes waited for streams, and ${bytesMax} may`;
    report({ level: 'warn', message });
  }
}
