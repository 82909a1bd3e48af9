/** What a partition's own actor can be told: there is one in every partition, keyed by its number. */
import { z } from 'zod';
import { call, cast, contract } from '../../runtime/contract.ts';
import { identifier } from '../account/account.records.ts';
import { StatusFacts } from '../account/statuses/statuses.events.ts';
import { Destination, Intent } from '../intents.ts';
import { partitionKind } from '../kinds.ts';

/** How far one lane has come; see LaneState in partition.state.ts. */
export const LaneProgress = z.object({
  host: z.number(),
  cursor: z.number(),
  ahead: z.array(z.number()),
  failures: z.number(),
  failingSince: z.number().optional(),
  nextAttemptAt: z.number().optional(),
});
export type LaneProgress = z.infer<typeof LaneProgress>;

const AnnouncementNamed = z.object({ announcementId: identifier });

export const PartitionActor = contract(partitionKind, {
  /** An account with followers here, but at home elsewhere, has published, deleted or edited. */
  arrived: cast(1, StatusFacts),
  gone: cast(2, StatusFacts),
  revised: cast(5, StatusFacts),
  /** Something to tell the hosts of this partition: those with followers of an account, and single inboxes. */
  deliver: cast(
    3,
    z.object({ intent: Intent, followersOf: identifier.optional(), destinations: z.array(Destination) }),
  ),
  /**
   * What one of the network threads says of its lanes here: how far those that moved have come, and below which sequence
   * none of them needs the log. The reply says whether there is more to trim than one turn does.
   */
  progressed: call(
    4,
    z.object({ reader: z.number(), readers: z.number(), lanes: z.array(LaneProgress), floor: z.number() }),
    z.object({ more: z.boolean() }),
  ),
  /** Staff announced something, or changed an announcement; it was reacted to; it was withdrawn. */
  announced: cast(6, AnnouncementNamed),
  announcementReacted: cast(
    7,
    AnnouncementNamed.extend({ reactions: z.array(z.object({ name: z.string(), count: z.number() })) }),
  ),
  announcementWithdrawn: cast(8, AnnouncementNamed),
});
