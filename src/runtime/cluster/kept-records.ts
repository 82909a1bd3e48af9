/** The records that a stream still has, from the first to the last. */
import { type LogRecord, LogRefusal } from '../storage/log.ts';
import { Chain, type Counted } from './chain.ts';
import type { LogStream } from './stream.ts';
import { decodeRecord } from './stream-record.ts';

/** Those that count. The first one that is kept is taken as it is. */
async function* countedRecords(stream: LogStream): AsyncGenerator<Counted> {
  const { first, last } = await stream.bounds();
  let chain: Chain | undefined;
  for await (const stored of stream.replay(first, last)) {
    chain ??= new Chain({ sequence: first - 1, digest: decodeRecord(stored.bytes).previous });
    const counted = chain.take(stored);
    if (counted !== undefined) yield counted;
  }
}

/** The batches after this position. Throws the refusal where some are not kept. */
export async function* recordsBetween(stream: LogStream, after: number): AsyncGenerator<LogRecord> {
  let isFirst = true;
  for await (const { record, batch, sequence } of countedRecords(stream)) {
    const beginsLater = isFirst && (sequence > 1 || record.kind === 'state');
    if (beginsLater && after < record.position) throw new LogRefusal('truncated');
    isFirst = false;
    const { kind, position, epoch } = record;
    if (batch !== undefined && kind === 'batch' && position > after) yield { position, epoch, ...batch };
  }
}

/**
 * Where a stream begins without its batches up to this position, and at most without what is below `sequenceMax`. The last
 * record of that position is kept: it says where the log begins. Undefined where nothing is dropped.
 */
export async function truncation(
  stream: LogStream,
  position: number,
  sequenceMax: number,
): Promise<number | undefined> {
  let from: number | undefined;
  for await (const { record, sequence } of countedRecords(stream)) {
    if (record.position > position || sequence > sequenceMax) break;
    if (record.part === 0) from = sequence;
  }
  return from;
}

/**
 * The first record of a stream that is kept: `second` is where the second newest snapshot ends, `read` how far those who
 * follow have read it.
 */
export function keptFrom(second: number, read: readonly number[]): number {
  return Math.min(second, ...read);
}
