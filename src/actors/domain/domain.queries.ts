/** Reads of what is kept per remote host. */
import type { Reader } from '../../runtime/storage/reader.ts';
import { receivedCounts } from './domain.state.ts';

/** Whether activities of the host wait for something that must be fetched. */
export function hasReceivedWaiting(reader: Reader, host: string): boolean {
  return reader.get(receivedCounts, [host]) !== undefined;
}
