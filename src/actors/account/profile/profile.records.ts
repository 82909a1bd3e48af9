/**
 * Records of an account: its profile, its login when it is local, its counters and keys. Times are milliseconds since
 * 1970.
 */
import { z } from 'zod';
import { HeldPicture } from '../../blob/blob.records.ts';
import { Approval, CustomEmoji, identifier, Visibility } from '../account.records.ts';
import { QuotePolicy } from '../quotes/quotes.records.ts';
import { ReplyPolicy } from '../statuses/reply-policy.records.ts';

/** The built-in roles, ascending. */
export const roles = ['user', 'moderator', 'admin', 'owner'] as const;

export const Role = z.enum(roles);
export type Role = z.infer<typeof Role>;

export const ProfileField = z.object({
  name: z.string(),
  /** Plain text for local accounts, HTML for remote ones. */
  value: z.string(),
  html: z.string(),
  verifiedAt: z.number().optional(),
});

export const ActorType = z.enum(['Person', 'Service', 'Application', 'Group', 'Organization']);

/** Addresses of a remote account; absent for local ones, whose addresses derive from the origin. */
export const RemoteAddresses = z.object({
  uri: z.string(),
  url: z.string(),
  inbox: z.string(),
  sharedInbox: z.string().optional(),
  outbox: z.string().optional(),
  followers: z.string().optional(),
  following: z.string().optional(),
  featured: z.string().optional(),
  publicKeyId: z.string(),
  publicKeyPem: z.string(),
  featuredTags: z.string().optional(),
  /** The new account that its server reports; once verified here it is the profile's `movedTo`. */
  movedTo: z.string().optional(),
  featuredCollections: z.string().optional(),
  /** Besides the one above, such as that of proofs (FEP-8b32). */
  moreKeys: z.array(z.object({ id: z.string(), text: z.string() })).optional(),
});
export type RemoteAddresses = z.infer<typeof RemoteAddresses>;

export const Profile = z.object({
  id: identifier,
  username: z.string(),
  /** The host[:port] of a remote account; undefined for a local one. */
  domain: z.string().optional(),
  actorType: ActorType,
  displayName: z.string(),
  /** Source text of a local account's note; sanitised HTML of a remote one's. */
  note: z.string(),
  noteHtml: z.string(),
  fields: z.array(ProfileField),
  emojis: z.array(CustomEmoji),
  /** Of a local account the name of a blob, of a remote one the address at its server. So is `header`. */
  avatar: z.string().optional(),
  header: z.string().optional(),
  locked: z.boolean(),
  bot: z.boolean(),
  discoverable: z.boolean().optional(),
  indexable: z.boolean(),
  hideCollections: z.boolean(),
  createdAt: z.number(),
  updatedAt: z.number(),
  suspendedAt: z.number().optional(),
  limited: z.boolean(),
  memorial: z.boolean(),
  movedTo: identifier.optional(),
  alsoKnownAs: z.array(z.string()),
  remote: RemoteAddresses.optional(),
  /** When a remote profile was last fetched. */
  fetchedAt: z.number().optional(),
  role: Role.default('user'),
  /** When its server was last asked for a remote profile again; absent once it has answered. */
  refreshAskedAt: z.number().optional(),
  /** When the server of a remote account was found to have deleted it, or the owner of a local one did. */
  deletedRemotelyAt: z.number().optional(),
  /** For remote accounts: when the server was last asked for the pins. */
  pinsAskedAt: z.number().optional(),
  /** When the account last moved to another one. */
  movedAt: z.number().optional(),
  /** Aliases of a local account. Those that a remote one claims are in `alsoKnownAs`. */
  aliasIds: z.array(identifier).optional(),
  /** Hosts of web sites that may name the account as the author of their articles. */
  attributionDomains: z.array(z.string()).optional(),
  /** Which parts of the profile clients show; all by default. */
  showMedia: z.boolean().optional(),
  showMediaReplies: z.boolean().optional(),
  showFeatured: z.boolean().optional(),
  /**
   * Of a remote account: its server reports it as suspended. That began at `suspendedAt` and ends when it no longer
   * does.
   */
  isSuspendedByOrigin: z.boolean().optional(),
  /** Who may add a remote account to a collection; for local ones it is derived (policy/featuring.ts). */
  featureApproval: Approval.optional(),
  /** For remote accounts: when the server was last asked for collections. */
  collectionsAskedAt: z.number().optional(),
  /** For remote accounts: when the server was last sent the follows again that it may have forgotten. */
  followedAgainAt: z.number().optional(),
  /** Of a remote account: what a rule for its server does to it, and what others had decided about it before. */
  byDomain: z
    .object({
      severity: z.enum(['silence', 'suspend']),
      wasSuspendedAt: z.number().optional(),
      wasLimited: z.boolean(),
    })
    .optional(),
  /** The pictures of a local account, as this server keeps them. */
  avatarPicture: HeldPicture.optional(),
  headerPicture: HeldPicture.optional(),
  /** What the pictures show, for those who do not see them. */
  avatarDescription: z.string().optional(),
  headerDescription: z.string().optional(),
  /** For remote accounts: when the server was last asked who of this server follows. */
  followersAskedAt: z.number().optional(),
  /** Staff have decided that all its media are shown as sensitive. */
  sensitized: z.boolean().optional(),
  /** Of an account that this server suspended: what it left here is removed at this time. Absent once that has begun. */
  dataKeptUntil: z.number().optional(),
  /** When it was decided that everything goes that the account left here, by its owner or by staff. */
  dataRemovedAt: z.number().optional(),
  /** Of a local account with a role that staff have added; `role` is that of a user then. */
  roleId: identifier.optional(),
  /** When staff had everything removed that the accounts of its server left here; absent once its server shows it again. */
  purgedAt: z.number().optional(),
  /** Whether others may subscribe to its posts by mail, where the server and its role allow it. */
  emailSubscriptions: z.boolean().optional(),
});
export type Profile = z.infer<typeof Profile>;

/** All but sensitive ones, all, or none. */
export const expandedMedia = ['default', 'show_all', 'hide_all'] as const;
export const ExpandedMedia = z.enum(expandedMedia);
export type ExpandedMedia = z.infer<typeof ExpandedMedia>;

/** The login of a local account, and its preferences. */
export const Login = z.object({
  email: z.string(),
  passwordHash: z.string(),
  role: Role,
  confirmed: z.boolean(),
  approved: z.boolean(),
  disabled: z.boolean(),
  locale: z.string(),
  reason: z.string().optional(),
  createdAt: z.number(),
  defaultPrivacy: Visibility,
  defaultSensitive: z.boolean(),
  /** Empty when the choice was taken back. */
  defaultLanguage: z.string().optional(),
  /** Who may quote new statuses; absent until chosen. */
  defaultQuotePolicy: QuotePolicy.optional(),
  /** Whether pages warn before media without a description are posted; they do until told otherwise. */
  warnsOfMissingDescriptions: z.boolean().optional(),
  /** The application through which it signed up; absent for the pages, and for accounts that staff have made. */
  applicationId: identifier.optional(),
  /** Its owner has decided to delete the account: when that happens, unless it is taken back. */
  deletesAt: z.number().optional(),
  /** A role that staff have added; `role` is that of a user then. */
  roleId: identifier.optional(),
  /** Who may reply to new statuses; absent until chosen. */
  defaultReplyPolicy: ReplyPolicy.optional(),
  /** With which invite it signed up; `follows`: it follows its creator as soon as it may be used. */
  invitation: z
    .object({ inviteId: identifier, creatorId: identifier.optional(), follows: z.boolean().optional() })
    .optional(),
  /** The digest of the address that its suspension has blocked for sign-ups (policy/access.ts). */
  emailBlock: z.string().optional(),
  /** Which media its owner is shown at once; absent until chosen. */
  expandMedia: ExpandedMedia.optional(),
  /** Whether posts with a content warning are shown open to them. */
  expandSpoilers: z.boolean().optional(),
  /** Whether what replaces a GIF plays by itself; absent until chosen. */
  autoplayGifs: z.boolean().optional(),
});
export type Login = z.infer<typeof Login>;

export const AccountCounters = z.object({
  statuses: z.number(),
  followers: z.number(),
  following: z.number(),
  lastStatusAt: z.number().optional(),
});
export type AccountCounters = z.infer<typeof AccountCounters>;

/** The key before the present one, as long as something may wait that was made with it. */
const FormerKey = z.object({
  privateKeyPem: z.string(),
  /** The activity that tells other servers of the new key. It and everything before it is signed with the former one. */
  lastActivityId: identifier,
  until: z.number(),
});

export const KeyPair = z.object({
  publicKeyPem: z.string(),
  privateKeyPem: z.string(),
  createdAt: z.number(),
  former: FormerKey.optional(),
});
export type KeyPair = z.infer<typeof KeyPair>;

/** Deliveries wait as long in their lanes. */
export const formerKeyMilliseconds = 14 * 24 * 60 * 60 * 1_000;

/** A pair in the place of another one. */
export function succeeding(next: KeyPair, before: KeyPair, lastActivityId: bigint, now: number): KeyPair {
  const { privateKeyPem } = before;
  return { ...next, former: { privateKeyPem, lastActivityId, until: now + formerKeyMilliseconds } };
}

/** Without the former key; the same where it is still needed, or there is none. */
export function withoutFormer(pair: KeyPair, now: number): KeyPair {
  if (pair.former === undefined || pair.former.until > now) return pair;
  const { former: _former, ...present } = pair;
  return present;
}
