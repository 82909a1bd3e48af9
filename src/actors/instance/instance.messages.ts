/** Messages to the server as a whole. There is one instance actor, with the key `instance`. */
import { z } from 'zod';
import { call, contract, joined } from '../../runtime/contract.ts';
import { identifier } from '../account/account.records.ts';
import { KeyPair } from '../account/profile/profile.records.ts';
import { audited } from '../audit.records.ts';
import { HeldPicture, StoredPicture } from '../blob/blob.records.ts';
import { instanceKind } from '../kinds.ts';
import { feedAccesses, ownTopicAccesses } from '../policy/feed-access.ts';
import { accessMessages } from './access/access.messages.ts';
import { announcementMessages } from './announcements/announcements.messages.ts';
import { domainListMessages } from './domain-lists/domain-lists.messages.ts';
import { domainMessages } from './domains/domains.messages.ts';
import { FederationModeName } from './domains/domains.records.ts';
import { inviteMessages } from './invites/invites.messages.ts';
import { keyMessages } from './keys/keys.messages.ts';
import { moderationNoteMessages } from './moderation-notes/moderation-notes.messages.ts';
import { retentionMessages } from './retention/retention.messages.ts';
import { roleMessages } from './roles/roles.messages.ts';
import { serverMessages } from './servers/servers.messages.ts';
import { termsMessages } from './terms/terms.messages.ts';
import { trendReviewMessages } from './trends/trend-reviews.messages.ts';
import { warningPresetMessages } from './warning-presets/warning-presets.messages.ts';
import { webhookMessages } from './webhooks/webhooks.messages.ts';

export const instanceKey = 'instance';

export const registrationModes = ['open', 'approval', 'closed'] as const;
export const RegistrationMode = z.enum(registrationModes);
export type RegistrationMode = z.infer<typeof RegistrationMode>;

/**
 * Who may invite people, besides those whose role says so; and whether those who come need approval where registrations are
 * not open: `free` is for everybody, and nobody does.
 */
export const invitationModes = ['staff', 'approval', 'free'] as const;
export const InvitationMode = z.enum(invitationModes);
export type InvitationMode = z.infer<typeof InvitationMode>;

/** HTML written by staff, and when (milliseconds since 1970). */
const Document = z.object({ content: z.string(), updatedAt: z.number() });

/** By language (ISO 639-1). */
const RuleTranslations = z.record(z.string(), z.object({ text: z.string(), hint: z.string() }));

const Rule = z.object({
  /** Digits. Never reused: reports refer to rules by it. */
  id: z.string(),
  text: z.string(),
  hint: z.string(),
  translations: RuleTranslations.optional(),
});

/** Who sees what the server publishes: the words of the Mastodon API. */
export const audiences = ['disabled', 'users', 'all'] as const;
export const Audience = z.enum(audiences);
export type Audience = z.infer<typeof Audience>;

const FeedAccess = z.enum(feedAccesses);

/** Settings by staff. All absent on a new server, where the options apply. */
export const InstanceSettings = z.object({
  registrations: RegistrationMode.optional(),
  title: z.string().optional(),
  description: z.string().optional(),
  extendedDescription: Document.optional(),
  privacyPolicy: Document.optional(),
  contactAccountId: identifier.optional(),
  rules: z.array(Rule).optional(),
  /** Whether the list of known servers is public; true when absent. */
  publishPeers: z.boolean().optional(),
  /** The same for the weekly activity, and for the servers blocked here. */
  publishActivity: z.boolean().optional(),
  publishDomainBlocks: z.boolean().optional(),
  /** Number of the last rule added, which may have been removed. */
  lastRuleId: z.number().optional(),
  /** Tag names that the server never proposes to anybody. */
  disallowedHashtags: z.array(z.string()).optional(),
  /** With which servers this one talks: with all that are not suspended, when absent. */
  federationMode: FederationModeName.optional(),
  /** The picture of the server, and what it shows; the built-in one when absent. */
  thumbnail: HeldPicture.optional(),
  thumbnailDescription: z.string().optional(),
  /** Who sees the list of servers blocked here, and the reasons in it; `publishDomainBlocks` decides when absent. */
  domainBlocksFor: Audience.optional(),
  domainBlockReasonsFor: Audience.optional(),
  /** Whether anything is shown to trend; true when absent. */
  trends: z.boolean().optional(),
  /** Whether something trends that nobody has reviewed; true when absent. */
  trendableByDefault: z.boolean().optional(),
  /** Who may invite people; everybody, whose guests need approval, when absent. */
  invitations: InvitationMode.optional(),
  /** Invites with a lower id have ended. */
  invitesEndedBefore: identifier.optional(),
  /** Whether whoever needs approval has to say why; false when absent. */
  reasonRequired: z.boolean().optional(),
  /** What is said where nobody may sign up. */
  closedMessage: Document.optional(),
  /** After so many days posts of other servers go that nobody here uses, 0 for never; the option decides when absent. */
  remoteStatusDays: z.number().optional(),
  /** Who reads the timelines of public posts, of this server and of others, and those of tags and links; everybody when absent. */
  localLiveFeeds: FeedAccess.optional(),
  remoteLiveFeeds: FeedAccess.optional(),
  localTopicFeeds: z.enum(ownTopicAccesses).optional(),
  remoteTopicFeeds: FeedAccess.optional(),
  /** Whether accounts whose role says so may let others subscribe to them by mail; false when absent. */
  emailSubscriptions: z.boolean().optional(),
});
export type InstanceSettings = z.infer<typeof InstanceSettings>;

/** Secrets of the server, generated once. */
export const InstanceSecrets = z.object({
  /** Signs the forms of the pages; base64url. */
  formSecret: z.string(),
  /** Of the server's own actor, which signs requests that no account makes. */
  keyPair: KeyPair,
  /** P-256, both base64url: the public key as an uncompressed point, the private key as its scalar (RFC 8292). */
  vapidPublicKey: z.string(),
  vapidPrivateKey: z.string(),
});
export type InstanceSecrets = z.infer<typeof InstanceSecrets>;

/** A custom emoji of this server. Its pictures are addresses, which are neither fetched nor copied, or names of blobs. */
const EmojiContent = z.object({
  shortcode: z.string(),
  url: z.string(),
  staticUrl: z.string(),
  visibleInPicker: z.boolean(),
  category: z.string().optional(),
});

/** Nothing new is written with one that is disabled. */
export const StoredEmoji = EmojiContent.extend({
  picture: HeldPicture.optional(),
  isDisabled: z.boolean().optional(),
});
export type StoredEmoji = z.infer<typeof StoredEmoji>;

/** Message numbers 1 to 6, and 300. */
const settingsMessages = {
  /** Undefined fields stay unchanged. */
  changeSettings: call(1, InstanceSettings.extend(audited), z.undefined()),
  /** The first secrets are kept; the reply is those in force. */
  adoptSecrets: call(2, InstanceSecrets, InstanceSecrets),
  /** Throws Failure validation above the bound. */
  addRule: call(3, z.object({ text: z.string(), hint: z.string(), ...audited }), z.object({ id: z.string() })),
  /** Without a language: the rule itself. Throws Failure notFound. */
  changeRule: call(
    4,
    z.object({
      id: z.string(),
      language: z.string().optional(),
      text: z.string().optional(),
      hint: z.string().optional(),
      ...audited,
    }),
    z.undefined(),
  ),
  /** Throws Failure notFound. */
  removeRule: call(5, z.object({ id: z.string(), ...audited }), z.undefined()),
  /** Throws Failure validation above the bound. */
  setHashtagDisallowed: call(6, z.object({ name: z.string(), isDisallowed: z.boolean(), ...audited }), z.undefined()),
  /** Without a picture: the built-in one again. */
  changeThumbnail: call(
    300,
    z.object({ picture: StoredPicture.optional(), description: z.string().optional(), ...audited }),
    z.undefined(),
  ),
};

/** Message numbers 17, 18 and 580. */
const emojiMessages = {
  /** Replaces the one with its shortcode. Throws Failure validation above the bound. */
  putEmoji: call(17, EmojiContent.extend({ ...audited, picture: StoredPicture.optional() }), z.undefined()),
  /** Throws Failure notFound. */
  removeEmoji: call(18, StoredEmoji.pick({ shortcode: true }).extend(audited), z.undefined()),
  /** Undefined fields stay unchanged; an empty category is none. Throws Failure notFound. */
  changeEmoji: call(
    580,
    StoredEmoji.pick({ shortcode: true, category: true }).extend({
      visibleInPicker: z.boolean().optional(),
      isDisabled: z.boolean().optional(),
      ...audited,
    }),
    z.undefined(),
  ),
};

export const Instance = contract(
  instanceKind,
  joined(
    settingsMessages,
    announcementMessages,
    emojiMessages,
    domainMessages,
    domainListMessages,
    accessMessages,
    trendReviewMessages,
    warningPresetMessages,
    moderationNoteMessages,
    roleMessages,
    keyMessages,
    inviteMessages,
    termsMessages,
    retentionMessages,
    webhookMessages,
    serverMessages,
  ),
);
