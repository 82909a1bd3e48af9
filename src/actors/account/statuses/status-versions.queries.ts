/** Reads the versions of a status. */
import type { Reader } from '../../../runtime/storage/reader.ts';
import { versionOf } from '../../policy/status-parts.ts';
import type { Status, StatusVersion } from './statuses.records.ts';
import { statusVersions } from './statuses.state.ts';

/** Oldest first; the last one is the current version. */
export function versionsOf(reader: Reader, status: Status): StatusVersion[] {
  const earlier = Array.from(reader.range(statusVersions, [status.id]), ({ value }) => value);
  return [...earlier, versionOf(status)];
}
