/** Reads the rule by which an account deletes its posts. */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import type { Cleanup } from './cleanup.records.ts';
import { cleanups } from './cleanup.state.ts';

export function cleanupOf(reader: Reader, accountId: Id): Cleanup | undefined {
  return reader.get(cleanups, [accountId]);
}
