/** The messages of a partition's own actor: there is one in every partition, keyed by its number. */
import { z } from 'zod';
import { call, cast, contract, Done } from '../../runtime/contract.ts';
import { identifier } from '../account/account.records.ts';
import { MailContent } from '../account/mail/mail.records.ts';
import { StatusFacts } from '../account/statuses/statuses.events.ts';
import { Destination, Intent } from '../intents.ts';
import { partitionKind } from '../kinds.ts';
import { MailRoute } from './mail-route.state.ts';
import { LaneProgress } from './partition.records.ts';
import { RelayDestinations } from './relays.state.ts';
import { WebhookTargets } from './webhook-targets.state.ts';
import { WebhookNews } from './webhooks.state.ts';

const AnnouncementNamed = z.object({ announcementId: identifier });

const Progress = z.object({
  reader: z.number(),
  readers: z.number(),
  lanes: z.array(LaneProgress),
  floor: z.number(),
});

export const PartitionActor = contract(partitionKind, {
  /** An account of another partition, with followers here, has published, deleted or edited. */
  arrived: cast(1, StatusFacts),
  gone: cast(2, StatusFacts),
  revised: cast(5, StatusFacts),
  /** An intent for hosts of this partition: those with followers of an account, and single inboxes. */
  deliver: cast(
    3,
    z.object({ intent: Intent, followersOf: identifier.optional(), destinations: z.array(Destination) }),
  ),
  /**
   * The progress of a network thread's lanes in this partition, and the sequence below which none of them needs the
   * log. The reply says whether there is more to trim than one turn does.
   */
  progressed: call(4, Progress, z.object({ more: z.boolean() })),
  /** An announcement was published, changed, reacted to, or withdrawn. */
  announced: cast(6, AnnouncementNamed),
  announcementReacted: cast(
    7,
    AnnouncementNamed.extend({ reactions: z.array(z.object({ name: z.string(), count: z.number() })) }),
  ),
  announcementWithdrawn: cast(8, AnnouncementNamed),
  /** A notification for a push subscription, whose push service is at a host[:port] of this partition. */
  push: cast(
    9,
    z.object({
      host: z.string(),
      accountId: identifier,
      notificationId: identifier,
      subscriptionId: identifier,
      number: z.number(),
    }),
  ),
  /** The same as `progressed`, of the lanes of push services. */
  pushesProgressed: call(10, Progress, z.object({ more: z.boolean() })),
  /** A mail for an address at a host of this partition. */
  mail: cast(360, z.object({ host: z.string(), email: z.string(), accountId: identifier, content: MailContent })),
  /** The same as `progressed`, of the lanes of mail. */
  mailsProgressed: call(361, Progress, z.object({ more: z.boolean() })),
  /** The mail was sent, or never will be: no lane sends it again. */
  mailEnded: call(362, z.object({ sequence: z.number() }), Done),
  /** Other relays get public posts from now on. */
  relaysChanged: cast(432, RelayDestinations),
  /** Where mail goes from now on: turns know no options. */
  mailRouted: call(433, MailRoute, Done),
  /** Something that a webhook of this partition wants to be told. */
  webhook: cast(434, WebhookNews.pick({ webhookId: true, event: true, subjectId: true, at: true })),
  /** The same as `progressed`, of the lanes of webhooks. */
  webhooksProgressed: call(435, Progress, z.object({ more: z.boolean() })),
  /** Other webhooks are told, or of something else, from now on. */
  webhooksChanged: cast(436, WebhookTargets),
});
