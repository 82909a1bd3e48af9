/** All actors and all keyspaces: the one registry of each, loaded by owner threads. */
import type { ActorImplementation } from '../runtime/contract.ts';
import { type AnyKeyspace, keyspacesOf } from '../runtime/storage/keyspace.ts';
import type { Rule } from '../runtime/storage/rules.ts';
import { accountActor, accountKeyspaces, accountRules } from './account/account.actor.ts';
import * as ranks from './account/statuses/ranks.state.ts';
import * as accountLists from './account-lists.state.ts';
import * as audit from './audit.state.ts';
import { rulesBetweenKinds } from './between-kinds.rules.ts';
import { blobActor } from './blob/blob.actor.ts';
import * as blob from './blob/blob.state.ts';
import * as dailyCounts from './daily-counts.state.ts';
import { directoryActor } from './directory/directory.actor.ts';
import * as directory from './directory/directory.state.ts';
import * as cards from './domain/cards/cards.state.ts';
import { domainActor } from './domain/domain.actor.ts';
import * as domain from './domain/domain.state.ts';
import * as threads from './domain/threads/threads.state.ts';
import * as access from './instance/access/access.state.ts';
import { accessRules } from './instance/access/access-lists.ts';
import * as announcements from './instance/announcements/announcements.state.ts';
import * as domainLists from './instance/domain-lists/domain-lists.state.ts';
import * as domainPolicy from './instance/domains/domains.state.ts';
import { instanceActor } from './instance/instance.actor.ts';
import * as instance from './instance/instance.state.ts';
import * as invites from './instance/invites/invites.state.ts';
import * as keys from './instance/keys/keys.state.ts';
import * as moderationNotes from './instance/moderation-notes/moderation-notes.state.ts';
import * as retention from './instance/retention/retention.state.ts';
import * as servers from './instance/servers/servers.state.ts';
import * as trendReviews from './instance/trends/trend-reviews.state.ts';
import * as trendsTold from './instance/trends/trends-told.state.ts';
import * as warningPresets from './instance/warning-presets/warning-presets.state.ts';
import * as webhooks from './instance/webhooks/webhooks.state.ts';
import * as mailRoute from './partition/mail-route.state.ts';
import * as mails from './partition/mails.state.ts';
import { partitionActor } from './partition/partition.actor.ts';
import * as partition from './partition/partition.state.ts';
import * as pushes from './partition/pushes.state.ts';
import * as relays from './partition/relays.state.ts';
import * as webhookTargets from './partition/webhook-targets.state.ts';
import * as webhookNews from './partition/webhooks.state.ts';
import * as joined from './relay/joined/joined.state.ts';
import { relayActor } from './relay/relay.actor.ts';
import * as relay from './relay/relay.state.ts';
import * as roles from './roles.state.ts';
import * as search from './search.state.ts';
import { sessionActor } from './session/session.actor.ts';
import * as session from './session/session.state.ts';
import * as timelines from './timelines.state.ts';
import * as usage from './usage.state.ts';

export const actors: readonly ActorImplementation[] = [
  accountActor,
  blobActor,
  directoryActor,
  domainActor,
  instanceActor,
  partitionActor,
  relayActor,
  sessionActor,
];

export const keyspaces: readonly AnyKeyspace[] = [
  ...accountKeyspaces,
  ...keyspacesOf(
    timelines,
    ranks,
    search,
    accountLists,
    usage,
    dailyCounts,
    audit,
    directory,
    domain,
    cards,
    threads,
    partition,
    pushes,
    mails,
    mailRoute,
    session,
    instance,
    keys,
    announcements,
    blob,
    domainPolicy,
    domainLists,
    relay,
    joined,
    relays,
    access,
    trendReviews,
    trendsTold,
    warningPresets,
    moderationNotes,
    roles,
    invites,
    retention,
    webhooks,
    webhookNews,
    webhookTargets,
    servers,
  ),
];

/**
 * Ranges of keyspace numbers: first, last, owner. A number is one byte of every key, 1 to 254; 255 stays unused for a
 * longer form. One byte is enough: everything planned is listed with room to grow, and 254 is free. Accounts
 * have several ranges, in no particular order.
 */
const numberRanges: readonly (readonly [number, number, string])[] = [
  [1, 19, 'the machine'],
  [20, 52, 'account: profile, statuses, interactions, relationships, notifications'],
  [
    53,
    65,
    'account: what is added to these (withdrawals of remote accounts, pinned statuses, edits, notes, endorsements, notification requests, …)',
  ],
  [66, 68, 'instance: notes of moderators, what subscribed lists say of domains'],
  [69, 79, 'account: what is added to these'],
  [80, 88, 'timelines and trends of a partition, reviews of trends'],
  [89, 89, 'instance: servers that nothing is delivered to'],
  [90, 99, 'session, directory'],
  [100, 109, 'instance, usage'],
  [110, 119, 'domain'],
  [120, 121, 'relay: what joined ones have brought; instance: rotation of keys'],
  [122, 123, 'account: requests to reply'],
  [124, 125, 'domain'],
  [126, 126, 'account: requests to reply'],
  [127, 129, 'webhooks: of the instance, the log of a partition'],
  [130, 139, 'partition: deliveries, lanes of mail'],
  [140, 143, 'account: bookmarks, subscriptions by mail'],
  [144, 148, 'account: lists'],
  [149, 149, 'instance: statuses of other servers that go'],
  [150, 153, 'account: filters, subscriptions by mail'],
  [154, 156, 'account: polls'],
  [157, 157, 'relay: names of what was passed on'],
  [158, 158, 'audit log'],
  [159, 159, 'instance: purges of servers'],
  [160, 165, 'account: media'],
  [166, 167, 'account: scheduled statuses'],
  [168, 168, 'webhooks: what has read the log of a partition'],
  [169, 172, 'account: conversations'],
  [173, 173, 'webhooks: what they want'],
  [174, 174, 'account: markers'],
  [175, 178, 'push: subscriptions of accounts, the log of a partition'],
  [179, 182, 'account: imports, exports'],
  [183, 187, 'account: followed and featured tags, suggestions'],
  [188, 189, 'account: quotes'],
  [190, 193, 'roles, invites'],
  [194, 195, 'account: blocked domains'],
  [196, 197, 'reports by their sides, what happens on a day'],
  [198, 205, 'reports, warnings, audit log, appeals'],
  [206, 211, 'instance: terms, announcements, sweeps by domain, texts for warnings'],
  [212, 215, 'search, trends'],
  [216, 223, 'account: collections'],
  [224, 225, 'search, accounts by host'],
  [226, 227, 'account: sign-ins'],
  [249, 249, 'accounts of addresses'],
  [228, 229, 'blob'],
  [230, 231, 'account: follows severed by staff'],
  [241, 248, 'relay'],
  [234, 240, 'instance: who may sign up or come, subscriptions to blocklists'],
  [232, 233, 'mail: the log of a partition, the mail of accounts'],
  [252, 253, 'mail: what was sent lately, where it goes'],
  [250, 251, 'account: two-factor authentication'],
];

for (const { number, name } of keyspaces) {
  if (!numberRanges.some(([first, last]) => number >= first && number <= last))
    throw new Error(`the number ${number} of keyspace ${name} belongs to nothing: see numberRanges`);
}

/** What must hold between entries after every commit; the runtime's own rules are in `machineRules`. */
export const rules: readonly Rule[] = [
  ...accountRules,
  ...ranks.rankRules,
  ...blob.blobRules,
  ...domain.domainRules,
  ...cards.cardRules,
  ...threads.threadFetchRules,
  ...partition.deliveryRules,
  ...pushes.pushRules,
  ...mails.mailLogRules,
  ...webhookNews.webhookLogRules,
  ...session.sessionRules,
  ...instance.instanceRules,
  ...announcements.announcementRules,
  ...domainPolicy.domainPolicyRules,
  ...domainLists.domainListRules,
  ...accessRules,
  ...invites.inviteRules,
  ...retention.retentionRules,
  ...servers.serverRules,
  ...trendReviews.trendReviewRules,
  ...audit.auditRules,
  ...relay.relayRules,
  ...joined.joinedRules,
  ...rulesBetweenKinds,
];
