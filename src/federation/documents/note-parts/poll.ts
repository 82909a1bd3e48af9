/** The poll that makes a Note a Question. */
import { tallyOf } from '../../../actors/account/polls/polls.queries.ts';
import type { Poll } from '../../../actors/account/polls/polls.records.ts';
import type { JsonObject } from '../../../outbound/fetcher/json.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import type { NotePart } from '../note-part.ts';
import { type RemotePoll, readPoll } from '../read-poll.ts';
import { secondsTime } from '../times.ts';

interface PollOfNote {
  readonly poll: RemotePoll | undefined;
}

export const pollOfNote: NotePart<PollOfNote> = {
  read: (object, { type }) => ({ poll: type === 'Question' ? readPoll(object) : undefined }),
  write: ({ id, poll }, { reader }) => (poll === undefined ? {} : { properties: question(reader, id, poll) }),
};

/** Totals that are hidden while the poll is open are hidden from other servers as well. */
function question(reader: Reader, statusId: Id, { options, multiple, hideTotals, expiresAt }: Poll): JsonObject {
  const tally = tallyOf(reader, statusId);
  const isClosed = tally?.isClosed === true;
  const showsTotals = isClosed || !hideTotals;
  const choices = options.map((name, option) => ({
    type: 'Note',
    name,
    replies: { type: 'Collection', ...(showsTotals ? { totalItems: tally?.votes[option] ?? 0 } : {}) },
  }));
  const endTime = expiresAt === undefined ? undefined : secondsTime(expiresAt);
  return {
    type: 'Question',
    [multiple ? 'anyOf' : 'oneOf']: choices,
    ...(endTime === undefined ? {} : { endTime }),
    ...(isClosed && endTime !== undefined ? { closed: endTime } : {}),
    votersCount: tally?.voters ?? 0,
  };
}
