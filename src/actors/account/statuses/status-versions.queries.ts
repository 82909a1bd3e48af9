/** Reads the versions of a status. */
import type { Reader } from '../../../runtime/storage/reader.ts';
import type { Status, StatusVersion } from './statuses.records.ts';
import { statusVersions } from './statuses.state.ts';

/** Oldest first; the last one is the current version. */
export function versionsOf(reader: Reader, status: Status): StatusVersion[] {
  const earlier = Array.from(reader.range(statusVersions, [status.id]), ({ value }) => value);
  const { createdAt, editedAt, poll, quote, ...now } = status;
  return [
    ...earlier,
    { ...now, createdAt: editedAt ?? createdAt, pollOptions: poll?.options, quotedStatusId: quote?.statusId },
  ];
}
