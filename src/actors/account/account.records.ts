/**
 * What an account owns, as plain values: the records of its keyspaces and the shapes that its messages and queries
 * share. Times are milliseconds since 1970. Stored as arrays in the order of the keys: append only (runtime/codec.ts).
 */
import { z } from 'zod';

export const identifier = z.bigint();

export const visibilities = ['public', 'unlisted', 'private', 'direct'] as const;
export const Visibility = z.enum(visibilities);
export type Visibility = z.infer<typeof Visibility>;

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

export const CustomEmoji = z.object({ shortcode: z.string(), url: z.string(), staticUrl: z.string() });
export type CustomEmoji = z.infer<typeof CustomEmoji>;

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
  departedAt: z.number().optional(),
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
});
export type Login = z.infer<typeof Login>;

export const AccountCounters = z.object({
  statuses: z.number(),
  followers: z.number(),
  following: z.number(),
  lastStatusAt: z.number().optional(),
});
export type AccountCounters = z.infer<typeof AccountCounters>;

/** Where an account's followers are, so that a post goes to the partitions that need it and to no other. */
export const Reach = z.object({
  /** Partition number to the number of local followers there. */
  local: z.array(z.number()),
  /** Partition number to the number of remote followers whose domain actors live there. */
  remote: z.array(z.number()),
  /** Local followers who hear of each new status; absent for none. */
  bells: z.number().optional(),
});
export type Reach = z.infer<typeof Reach>;

export const KeyPair = z.object({ publicKeyPem: z.string(), privateKeyPem: z.string(), createdAt: z.number() });
export type KeyPair = z.infer<typeof KeyPair>;

export const Mention = z.object({ id: identifier, username: z.string(), acct: z.string(), url: z.string() });
export type Mention = z.infer<typeof Mention>;

export const Tag = z.object({ name: z.string(), display: z.string() });
export type Tag = z.infer<typeof Tag>;

export const Attachment = z.object({
  id: identifier,
  type: z.enum(['unknown', 'image', 'gifv', 'video', 'audio']),
  url: z.string(),
  previewUrl: z.string().optional(),
  remoteUrl: z.string().optional(),
  description: z.string().optional(),
  blurhash: z.string().optional(),
  mediaType: z.string().optional(),
  width: z.number().optional(),
  height: z.number().optional(),
  focusX: z.number().optional(),
  focusY: z.number().optional(),
});
export type Attachment = z.infer<typeof Attachment>;

export const Status = z.object({
  id: identifier,
  accountId: identifier,
  /** The ActivityPub id of a remote status; local ones derive from the origin. */
  uri: z.string().optional(),
  url: z.string().optional(),
  createdAt: z.number(),
  editedAt: z.number().optional(),
  visibility: Visibility,
  sensitive: z.boolean(),
  spoilerText: z.string(),
  /** The text as written; local statuses only. */
  text: z.string(),
  content: z.string(),
  language: z.string().optional(),
  inReplyToId: identifier.optional(),
  inReplyToAccountId: identifier.optional(),
  /** A reblog has no content of its own. */
  reblogOfId: identifier.optional(),
  reblogOfAccountId: identifier.optional(),
  mentions: z.array(Mention),
  tags: z.array(Tag),
  emojis: z.array(CustomEmoji),
  attachments: z.array(Attachment),
  application: z.object({ name: z.string(), website: z.string().optional() }).optional(),
  /** For a remote reblog: the id of its Announce; for a local one undefined. */
  activityUri: z.string().optional(),
});
export type Status = z.infer<typeof Status>;

/** How others have reacted to a status; apart from the status, which seldom changes. */
export const StatusCounters = z.object({
  favourites: z.number(),
  reblogs: z.number(),
  replies: z.number(),
  quotes: z.number(),
});
export type StatusCounters = z.infer<typeof StatusCounters>;

/** What a list of an account's statuses needs to choose from without reading each of them. */
export const StatusSummary = z.object({
  visibility: Visibility,
  reblogOfId: identifier.optional(),
  reblogOfAccountId: identifier.optional(),
  inReplyToAccountId: identifier.optional(),
  hasMedia: z.boolean(),
  language: z.string().optional(),
});
export type StatusSummary = z.infer<typeof StatusSummary>;

export const FollowOptions = z.object({
  showReblogs: z.boolean(),
  notify: z.boolean(),
  /** Only statuses in these languages; undefined for all. */
  languages: z.array(z.string()).optional(),
});
export type FollowOptions = z.infer<typeof FollowOptions>;

/** The follower's side of a follow. */
export const Follow = z.object({
  id: identifier,
  state: z.enum(['requested', 'accepted']),
  showReblogs: z.boolean(),
  notify: z.boolean(),
  languages: z.array(z.string()).optional(),
  /** The ActivityPub id of the Follow, for the Undo and to match Accept and Reject. */
  uri: z.string().optional(),
  /** Options that applied before, newest first: what was in force when an older status was published. */
  history: z.array(
    z.object({ until: z.number(), showReblogs: z.boolean(), languages: z.array(z.string()).optional() }),
  ),
});
export type Follow = z.infer<typeof Follow>;

/** The followed account's side, of a follow or of a request. */
export const Follower = z.object({
  id: identifier,
  uri: z.string().optional(),
  showReblogs: z.boolean(),
  notify: z.boolean(),
  /** Where a remote follower is reached: for the answer, and for the counts of its host when it goes. */
  destination: z.object({ host: z.string(), inbox: z.string(), sharedInbox: z.string().optional() }).optional(),
});
export type Follower = z.infer<typeof Follower>;

export const Block = z.object({ id: identifier, uri: z.string().optional() });
export const Mute = z.object({ id: identifier, hideNotifications: z.boolean(), expiresAt: z.number().optional() });
export type Mute = z.infer<typeof Mute>;

export const NotificationType = z.enum([
  'mention',
  'status',
  'reblog',
  'follow',
  'follow_request',
  'favourite',
  'poll',
  'update',
]);
export type NotificationType = z.infer<typeof NotificationType>;

export const Notification = z.object({
  type: NotificationType,
  accountId: identifier,
  statusId: identifier.optional(),
  createdAt: z.number(),
});
export type Notification = z.infer<typeof Notification>;
