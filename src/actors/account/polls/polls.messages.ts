/** Polls: called on their author, who counts, and then on the voter. Message numbers 100 to 108 and 191. */
import { z } from 'zod';
import { call, cast, Done } from '../../../runtime/contract.ts';
import { Destination } from '../../intents.ts';
import { identifier } from '../account.records.ts';
import { By } from '../relationships/relationships.messages.ts';

/** A local voter sends all choices at once; a remote one sends each option by name, in a message of its own. */
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
      /** Names of the chosen options: other servers identify options by name. */
      options: z.array(z.string()),
    }),
    Done,
  ),
  /** Runs on a remote voter. */
  receiveVote: call(102, z.object({ statusId: identifier, authorId: identifier, option: z.string() }), Done),
  /** The poll's timer; ignored when the poll now ends at another time. */
  closePoll: cast(103, z.object({ statusId: identifier, expiresAt: z.number() })),
  /** Delivers the totals to everybody who has the status: finds out who does, and then in slices of voters. */
  announcePoll: cast(104, z.object({ statusId: identifier, afterVoterId: identifier.optional() })),
  /** Notifies the local voters of a closed poll, in slices; not those with smaller votes than `firstVoteId`. */
  notifyVoters: cast(
    105,
    z.object({ statusId: identifier, afterVoterId: identifier.optional(), firstVoteId: identifier.optional() }),
  ),
  /** Removes the votes with smaller ids, in slices. */
  dropVotes: cast(
    106,
    z.object({ statusId: identifier, firstVoteId: identifier, afterVoterId: identifier.optional() }),
  ),
  /** Runs on a voter: the options have changed. */
  voteDropped: cast(107, z.object({ statusId: identifier, voteId: identifier })),
  /** Fetches a remote poll from its server, unless that was done within this age. */
  refreshPoll: call(108, z.object({ statusId: identifier, ageMilliseconds: z.number() }), Done),
  /** Where to deliver the totals besides followers and voters. */
  pollAudienceFound: cast(191, z.object({ statusId: identifier, destinations: z.array(Destination) })),
};
