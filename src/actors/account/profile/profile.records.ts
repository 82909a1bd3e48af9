/**
 * What an account is: its profile, its login when it is local, its counters and keys. Times are milliseconds since
 * 1970.
 */
import { z } from 'zod';
import { Approval, CustomEmoji, identifier, Visibility } from '../account.records.ts';
import { QuotePolicy } from '../quotes/quotes.records.ts';

export const roles = ['user', 'moderator', 'admin'] as const;

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

/** Where a remote account is reached; absent for local ones, whose addresses derive from the origin. */
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
  /** Where its server says that the account has gone: what came of it here is the profile's `movedTo`. */
  movedTo: z.string().optional(),
  featuredCollections: z.string().optional(),
});
export type RemoteAddresses = z.infer<typeof RemoteAddresses>;

export const Profile = z.object({
  id: identifier,
  username: z.string(),
  /** The host[:port] of a remote account; undefined for a local one. */
  domain: z.string().optional(),
  actorType: ActorType,
  displayName: z.string(),
  /** Source text of a local account's note; the remote HTML, cleaned, for others. */
  note: z.string(),
  noteHtml: z.string(),
  fields: z.array(ProfileField),
  emojis: z.array(CustomEmoji),
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
  /** When the server of a remote account was last asked for it again; absent once it has answered. */
  refreshAskedAt: z.number().optional(),
  /** When the server of a remote account had deleted it. */
  deletedRemotelyAt: z.number().optional(),
  /** When its server was last asked for what it has pinned; of remote accounts. */
  pinsAskedAt: z.number().optional(),
  /** When the account last moved to another one. */
  movedAt: z.number().optional(),
  /** Of a local account: whom it is known as. What a remote one says of itself is in `alsoKnownAs`. */
  aliasIds: z.array(identifier).optional(),
  /** Hosts of web sites that may name the account as the author of what they publish. */
  attributionDomains: z.array(z.string()).optional(),
  /** Which parts of the profile clients show: all, where nothing is said. */
  showMedia: z.boolean().optional(),
  showMediaReplies: z.boolean().optional(),
  showFeatured: z.boolean().optional(),
  /** Of a remote account: its server says that it is suspended, which began `suspendedAt` and ends when it says so no more. */
  isSuspendedByOrigin: z.boolean().optional(),
  /** Who may put a remote account into a collection; of local ones it derives (policy/featuring.ts). */
  featureApproval: Approval.optional(),
  /** When its server was last asked for its collections; of remote accounts. */
  collectionsAskedAt: z.number().optional(),
});
export type Profile = z.infer<typeof Profile>;

/** What only a local account has: how to sign in, and its preferences. */
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
  /** Empty once it was taken back. */
  defaultLanguage: z.string().optional(),
  /** Who may quote new statuses; absent until it was chosen. */
  defaultQuotePolicy: QuotePolicy.optional(),
});
export type Login = z.infer<typeof Login>;

export const AccountCounters = z.object({
  statuses: z.number(),
  followers: z.number(),
  following: z.number(),
  lastStatusAt: z.number().optional(),
});
export type AccountCounters = z.infer<typeof AccountCounters>;

export const KeyPair = z.object({ publicKeyPem: z.string(), privateKeyPem: z.string(), createdAt: z.number() });
export type KeyPair = z.infer<typeof KeyPair>;
