/** The records that a stream still has. */
import { type LogRecord, LogRefusal } from '../storage/log.ts';
import { BrokenChain, Chain, type Counted } from './chain.ts';
import { boundsFrom, type Waiting } from './patience.ts';
import type { LogStream, StoredRecord } from './stream.ts';
import { decodeRecord } from './stream-record.ts';

/**
 * Where the stream ends, for one that has read it up to this record. Throws BrokenChain where it does not go so far, and a refusal
 * where it begins later.
 */
export async function endBehind(stream: LogStream, sequence: number, waiting: Waiting): Promise<number> {
  const { first, last } = await boundsFrom(stream, sequence, waiting);
  if (last < sequence)
    throw new BrokenChain(`The log ends at record ${last}, and record ${sequence} was read already.`);
  if (first > sequence + 1) throw new LogRefusal('truncated');
  return last;
}

/** From behind this record to another one. Throws a refusal where some of them were truncated meanwhile. */
export async function* recordsBehind(
  stream: LogStream,
  sequence: number,
  { last, waiting }: { readonly last: number; readonly waiting: Waiting },
): AsyncGenerator<StoredRecord> {
  let next = sequence + 1;
  for await (const stored of stream.replay(next, last)) {
    if (stored.sequence > next) await endBehind(stream, sequence, waiting);
    next = stored.sequence + 1;
    yield stored;
  }
}

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
