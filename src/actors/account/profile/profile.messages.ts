/** What is written of a local account, and its keys. Message number 4. */
import { z } from 'zod';
import { call } from '../../../runtime/contract.ts';
import { audited } from '../../audit.records.ts';
import { StoredPicture } from '../../blob/blob.records.ts';
import { InviteUse } from '../../instance/invites/invites.records.ts';
import { identifier, Visibility } from '../account.records.ts';
import { QuotePolicy } from '../quotes/quotes.records.ts';
import { SignInSource } from '../sign-ins/sign-ins.records.ts';
import { ReplyPolicy } from '../statuses/reply-policy.records.ts';
import { ExpandedMedia, KeyPair, Login, Profile } from './profile.records.ts';

/** Input of a new local account. The turn adds its id and times. */
export const CreateAccount = z.object({
  username: z.string(),
  login: Login,
  displayName: z.string(),
  locked: z.boolean(),
  bot: z.boolean(),
  /** Staff to notify of the sign-up. */
  staffIds: z.array(identifier).optional(),
  /** The address has to be confirmed by mail before it counts, and before staff are notified. */
  isEmailPending: z.boolean().optional(),
  ...audited,
  /** Absent where staff have made it. */
  source: SignInSource.optional(),
  /** Of the invite with which it signs up: settled by whoever ends the registration. */
  inviteUse: InviteUse.optional(),
});

/** What is stored as it is given. */
export const ProfileSettings = z.object({
  locked: z.boolean().optional(),
  bot: z.boolean().optional(),
  discoverable: z.boolean().optional(),
  indexable: z.boolean().optional(),
  hideCollections: z.boolean().optional(),
  defaultPrivacy: Visibility.optional(),
  defaultSensitive: z.boolean().optional(),
  defaultLanguage: z.string().optional(),
  attributionDomains: z.array(z.string()).optional(),
  showMedia: z.boolean().optional(),
  showMediaReplies: z.boolean().optional(),
  showFeatured: z.boolean().optional(),
  defaultQuotePolicy: QuotePolicy.optional(),
  /** The language of pages and mails. */
  locale: z.string().optional(),
  warnsOfMissingDescriptions: z.boolean().optional(),
  defaultReplyPolicy: ReplyPolicy.optional(),
  expandMedia: ExpandedMedia.optional(),
  expandSpoilers: z.boolean().optional(),
  autoplayGifs: z.boolean().optional(),
});

/** Undefined fields stay unchanged. */
export const ChangeProfile = z.object({
  displayName: z.string().optional(),
  note: z.string().optional(),
  noteHtml: z.string().optional(),
  fields: Profile.shape.fields.optional(),
  avatar: z.string().optional(),
  header: z.string().optional(),
  ...ProfileSettings.shape,
  emojis: Profile.shape.emojis.optional(),
  /** Null removes the picture and its description. */
  avatarPicture: StoredPicture.nullable().optional(),
  headerPicture: StoredPicture.nullable().optional(),
  avatarDescription: z.string().optional(),
  headerDescription: z.string().optional(),
});

/** For staff, the command line, and a new password of the owner. Undefined fields stay unchanged. */
export const ChangeLogin = z.object({
  /** With `roleId`, or without any. */
  role: Login.shape.role.optional(),
  passwordHash: z.string().optional(),
  email: z.string().optional(),
  confirmed: z.boolean().optional(),
  approved: z.boolean().optional(),
  disabled: z.boolean().optional(),
  suspended: z.boolean().optional(),
  limited: z.boolean().optional(),
  ...audited,
  roleId: Login.shape.roleId,
  /** As the audit log names them. */
  roleNames: z.object({ before: z.string(), after: z.string() }).optional(),
  memorial: z.boolean().optional(),
});

export const profileMessages = {
  /** The first pair is kept; the reply is the pair in force. */
  setKeysIfAbsent: call(4, KeyPair, KeyPair),
};
