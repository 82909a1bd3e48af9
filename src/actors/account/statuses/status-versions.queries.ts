/** Reading what a status has said so far. */
import type { Reader } from '../../../runtime/storage/reader.ts';
import type { Status, StatusVersion } from './statuses.records.ts';
import { statusVersions } from './statuses.state.ts';

/** The oldest first; the last is what it says now. */
export function versionsOf(reader: Reader, status: Status): StatusVersion[] {
  const earlier = Array.from(reader.range(statusVersions, [status.id]), ({ value }) => value);
  const { createdAt, editedAt, poll, quote, ...now } = status;
  return [
    ...earlier,
    { ...now, createdAt: editedAt ?? createdAt, pollOptions: poll?.options, quotedStatusId: quote?.statusId },
  ];
}
