/** The poll of a status. */
import { z } from 'zod';
import { statusPart } from '../../status-part.ts';
import { NewPoll, Poll, PollTally } from './polls.records.ts';

const stored = { poll: Poll.optional() };
const written = { poll: NewPoll.optional() };

export const pollPart = statusPart({
  stored,
  written,
  /** `keepsPoll`: it stays unchanged, whatever `poll` says. */
  edit: { ...written, keepsPoll: z.boolean().optional() },
  /** `tally`: its totals. */
  received: { ...stored, tally: PollTally.pick({ votes: true, voters: true }).optional() },
  version: { pollOptions: z.array(z.string()).optional() },
  ofWritten: ({ poll }, now) => ({ poll: poll && pollFrom(poll, now) }),
  ofEdit: (before, { poll, keepsPoll }, now) => ({
    poll: keepsPoll === true ? before.poll : poll && pollFrom(poll, now),
  }),
  versionOf: ({ poll }) => ({ pollOptions: poll?.options }),
  /** Not its end, which may change without an edit. */
  content: ({ poll }) => poll && [poll.options, poll.multiple, poll.hideTotals],
});

function pollFrom({ expiresInSeconds, ...poll }: NewPoll, now: number): Poll {
  return { ...poll, expiresAt: now + 1_000 * expiresInSeconds };
}
