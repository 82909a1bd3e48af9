/** Polls: called on their author, who counts, and then on the voter. Message numbers 100 to 109. */
import { z } from 'zod';
import { call, cast, Done } from '../../../runtime/contract.ts';
import { Destination } from '../../intents.ts';
import { identifier } from '../account.records.ts';
import { By } from '../relationships/relationships.messages.ts';

/** Of a local voter all choices at once; of a remote one each option by its name, in a message of its own. */
const Choice = { choices: z.array(z.number()).optional(), option: z.string().optional() };

export const pollMessages = {
  vote: call(100, z.object({ statusId: identifier, ...By, ...Choice }), Done),
  voteKept: call(
    101,
    z.object({
      statusId: identifier,
      authorId: identifier,
      authorDestination: Destination.optional(),
      statusUri: z.string().optional(),
      voteId: identifier,
      choices: z.array(z.number()),
      /** What was chosen, for a server that knows options by their names. */
      options: z.array(z.string()),
    }),
    Done,
  ),
  /** On a remote voter. */
  receiveVote: call(102, z.object({ statusId: identifier, authorId: identifier, option: z.string() }), Done),
  /** The timer of a poll, unless it ends at another time by now. */
  closePoll: cast(103, z.object({ statusId: identifier, expiresAt: z.number() })),
  /** Tells the servers of followers and of voters the totals, a slice at a time. */
  announcePoll: cast(104, z.object({ statusId: identifier, afterVoterId: identifier.optional() })),
  /** Notifies the local voters of a closed poll, a slice at a time. */
  notifyVoters: cast(105, z.object({ statusId: identifier, afterVoterId: identifier.optional() })),
  /** Drops the votes with smaller ids than this, a slice at a time. */
  dropVotes: cast(
    106,
    z.object({ statusId: identifier, firstVoteId: identifier, afterVoterId: identifier.optional() }),
  ),
  /** On a voter: the options have changed. */
  voteDropped: cast(107, z.object({ statusId: identifier, voteId: identifier })),
  /** Asks the server of a remote poll for it, unless that was done within so long. */
  refreshPoll: call(108, z.object({ statusId: identifier, ageMilliseconds: z.number() }), Done),
};
