/** The instance actor: settings and texts of staff, and secrets that the server generated. */
import { type BodyOf, implement } from '../../runtime/contract.ts';
import { validationFailure } from '../../runtime/errors.ts';
import { withoutUndefined } from '../../runtime/plain-data.ts';
import { recordAudit } from '../audit.state.ts';
import * as access from './access/access.actor.ts';
import {
  changeAnnouncement,
  endAnnouncement,
  publishAnnouncement,
  sweepReactions,
  withdrawAnnouncement,
} from './announcements/announcements.actor.ts';
import { findRecipients, mailAnnouncement, recipientsFound } from './announcements/mail-announcement.ts';
import { react, takeReactionBack, tellReactions } from './announcements/reactions.ts';
import { changeEmoji, putEmoji, removeEmoji } from './custom-emojis.ts';
import * as decidedLists from './domain-lists/decide-listed.ts';
import * as domainLists from './domain-lists/domain-lists.actor.ts';
import {
  allowDomain,
  blockDomain,
  changeDomainBlock,
  disallowDomain,
  setFederationMode,
  unblockDomain,
} from './domains/domains.actor.ts';
import { policyApplied } from './domains/sweep.ts';
import { emailSubscriptionsChanged, feedAccessChanged } from './instance.events.ts';
import { Instance, type InstanceSecrets, type InstanceSettings } from './instance.messages.ts';
import { secrets, settings } from './instance.state.ts';
import type { InstanceTurn } from './instance.turn.ts';
import * as invites from './invites/invites.actor.ts';
import * as keys from './keys/keys.actor.ts';
import { instanceLimits } from './limits.ts';
import * as moderationNotes from './moderation-notes/moderation-notes.actor.ts';
import * as retention from './retention/retention.actor.ts';
import { changeRetention } from './retention/retention.actor.ts';
import * as roles from './roles/roles.actor.ts';
import { everybodyMayChanged } from './roles/roles.events.ts';
import { addRule, changeRule, removeRule } from './server-rules.ts';
import * as servers from './servers/servers.actor.ts';
import * as terms from './terms/terms.actor.ts';
import { changeThumbnail } from './thumbnail.ts';
import { forgetTrendReview, reviewTrend } from './trends/trend-reviews.actor.ts';
import { trendsFound } from './trends/trends-found.ts';
import * as warningPresets from './warning-presets/warning-presets.actor.ts';
import * as webhooks from './webhooks/webhooks.actor.ts';

const feedFields = ['localLiveFeeds', 'remoteLiveFeeds', 'localTopicFeeds', 'remoteTopicFeeds'] as const;

function changeSettings(turn: InstanceTurn, { audit, ...changes }: BodyOf<typeof Instance.changeSettings>): undefined {
  const given = withoutUndefined(changes);
  const before = turn.get(settings, [turn.self.key]);
  turn.put(settings, [turn.self.key], { ...before, ...given });
  if (given.remoteStatusDays !== undefined) changeRetention(turn, { days: given.remoteStatusDays });
  if (given.invitations !== undefined && given.invitations !== before?.invitations) turn.emit(everybodyMayChanged, {});
  if (given.emailSubscriptions !== undefined && given.emailSubscriptions !== (before?.emailSubscriptions ?? false))
    turn.emit(emailSubscriptionsChanged, {});
  if (feedFields.some((field) => given[field] !== undefined && given[field] !== before?.[field]))
    turn.emit(feedAccessChanged, {});
  recordAudit(turn, audit, {
    name: audit?.name ?? 'settings',
    targetId: audit?.name,
    before: factsOf(before ?? {}),
    after: factsOf({ ...before, ...given }),
  });
}

/** What the audit log shows of settings; rules and hashtags have entries of their own. */
function factsOf({ contactAccountId, extendedDescription, privacyPolicy, closedMessage, ...stored }: InstanceSettings) {
  const { registrations, title, description, publishPeers, publishActivity } = stored;
  const { publishDomainBlocks, domainBlocksFor, domainBlockReasonsFor, trends, trendableByDefault, invitations } =
    stored;
  const { reasonRequired, remoteStatusDays, localLiveFeeds, remoteLiveFeeds, localTopicFeeds, remoteTopicFeeds } =
    stored;
  return {
    ...{ registrations, title, description, publishPeers, publishActivity },
    ...{ publishDomainBlocks, domainBlocksFor, domainBlockReasonsFor, trends, trendableByDefault, invitations },
    reasonRequired,
    remoteStatusDays,
    emailSubscriptions: stored.emailSubscriptions,
    ...{ localLiveFeeds, remoteLiveFeeds, localTopicFeeds, remoteTopicFeeds },
    contactAccountId: contactAccountId?.toString(),
    extendedDescription: extendedDescription?.content,
    privacyPolicy: privacyPolicy?.content,
    closedMessage: closedMessage?.content,
  };
}

function adoptSecrets(turn: InstanceTurn, offered: BodyOf<typeof Instance.adoptSecrets>): InstanceSecrets {
  const present = turn.get(secrets, [turn.self.key]);
  if (present !== undefined) return present;
  turn.put(secrets, [turn.self.key], offered);
  return offered;
}

function setHashtagDisallowed(
  turn: InstanceTurn,
  { name, isDisallowed, audit }: BodyOf<typeof Instance.setHashtagDisallowed>,
): undefined {
  const stored = turn.get(settings, [turn.self.key]);
  const others = (stored?.disallowedHashtags ?? []).filter((other) => other !== name);
  if (isDisallowed && others.length >= instanceLimits.disallowedHashtagsMax)
    throw validationFailure('There are too many disallowed hashtags');
  const disallowedHashtags = isDisallowed ? [...others, name].sort() : others;
  turn.put(settings, [turn.self.key], { ...stored, disallowedHashtags });
  const wasDisallowed = stored?.disallowedHashtags?.includes(name) === true;
  const facts = { before: { isDisallowed: wasDisallowed }, after: { isDisallowed } };
  recordAudit(turn, audit, { targetId: name, name: `#${name}`, ...facts });
}

export const instanceActor = implement<InstanceTurn>()(Instance, {
  changeSettings,
  adoptSecrets,
  addRule,
  changeRule,
  removeRule,
  setHashtagDisallowed,
  changeThumbnail,
  publishAnnouncement,
  changeAnnouncement,
  withdrawAnnouncement,
  endAnnouncement,
  sweepReactions,
  react,
  takeReactionBack,
  tellReactions,
  mailAnnouncement,
  findRecipients,
  recipientsFound,
  trendsFound,
  putEmoji,
  removeEmoji,
  changeEmoji,
  blockDomain,
  changeDomainBlock,
  unblockDomain,
  allowDomain,
  disallowDomain,
  setFederationMode,
  policyApplied,
  reviewTrend,
  forgetTrendReview,
  ...warningPresets,
  ...moderationNotes,
  ...roles,
  ...keys,
  ...invites,
  ...terms,
  ...access,
  ...domainLists,
  ...decidedLists,
  ...retention,
  ...webhooks,
  ...servers,
});
