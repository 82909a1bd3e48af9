/** Where a view continues in its stream. */
import { LogRefusal } from '../storage/log.ts';
import { BrokenChain, Chain } from './chain.ts';
import { boundsFrom, type Waiting } from './patience.ts';
import type { LogStream } from './stream.ts';
import { areSame, decodeRecord, digestOf } from './stream-record.ts';
import type { StreamView } from './view.ts';

/** Throws BrokenChain where the two are not of one history, and a refusal where the stream does not go back so far. */
export async function chainOf(view: StreamView, stream: LogStream, waiting?: Waiting): Promise<Chain> {
  const place = view.place();
  if (!view.isOf(place))
    throw new BrokenChain('The partition was written without its log: the two do not belong together any more.');
  const reached = place?.sequence ?? 0;
  const { first, last } = await (waiting === undefined ? stream.bounds() : boundsFrom(stream, reached, waiting));
  if (place === undefined && first === 1) return new Chain();
  if (place === undefined) throw new LogRefusal('truncated');
  const { sequence, digest } = place;
  if (sequence > last)
    throw new BrokenChain(`The log ends at record ${last}, and this copy has applied record ${sequence} already.`);
  if (sequence < first) throw new LogRefusal('truncated');
  const stored = await stream.get(sequence);
  if (stored === undefined || !areSame(digestOf(stored.bytes), digest))
    throw new BrokenChain(`Record ${sequence} of the log is not the one that this copy has applied.`);
  return new Chain({ sequence, digest }, decodeRecord(stored.bytes));
}
