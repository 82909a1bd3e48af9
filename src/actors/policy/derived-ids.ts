/** Ids of what has no record: of tags, of links and their publishers. Pure. */
import { digestOfName } from '../../runtime/ids.ts';

/** Derived from the name: digits of a number below 2^62, never 0. */
export function idOfName(name: string): string {
  return String((digestOfName(name).readBigUInt64BE() >> 2n) | 1n);
}
