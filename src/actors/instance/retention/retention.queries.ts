/** Reads the rule for statuses of other servers that nobody here uses, and how far its last run came. */
import type { Reader } from '../../../runtime/storage/reader.ts';
import { instanceKey } from '../instance.messages.ts';
import type { Retention } from './retention.records.ts';
import { retentions } from './retention.state.ts';

/** Undefined where there was never a rule. */
export function findRetention(reader: Reader): Retention | undefined {
  return reader.get(retentions, [instanceKey]);
}
