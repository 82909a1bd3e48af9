/** Reads the markers of an account. */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import type { Markers } from './markers.records.ts';
import { markers } from './markers.state.ts';

export function markersOf(reader: Reader, accountId: Id): Markers {
  return reader.get(markers, [accountId]) ?? {};
}
