/** What accounts are told by mail, and the record of an account's mail. Times are milliseconds since 1970. */
import { z } from 'zod';
import { identifier } from '../account.records.ts';
import { warningActions } from '../notifications/notifications.records.ts';

/** Decisions of staff that the account is told of. */
const mailedDecisions = [
  ...(['approved', 'disabled', 'enabled', 'suspended', 'unsuspended', 'limited', 'unlimited'] as const),
] as const;
export type MailedDecision = (typeof mailedDecisions)[number];

/** What was done to how the account is protected. Names are stored: append-only. */
const securityChanges = [
  ...(['twoFactorEnabled', 'twoFactorDisabled', 'recoveryCodesReplaced', 'secondFactorFailed'] as const),
  ...(['passkeyAdded', 'passkeyRemoved'] as const),
] as const;

/**
 * The mails that an account may switch off, and whether they are on until it does. Names are those of notifications where
 * there is one; they are stored: append-only.
 */
export const mailTopics = {
  mention: true,
  quote: true,
  follow: true,
  follow_request: true,
  favourite: false,
  reblog: false,
  'admin.report': true,
  'admin.sign_up': true,
  'admin.appeal': true,
  announcement: true,
  'admin.trends': true,
} as const satisfies Record<string, boolean>;
export type MailTopic = keyof typeof mailTopics;
const topicNames = Object.keys(mailTopics) as MailTopic[];
export const MailTopic = z.enum(topicNames);

/** Notifications that are told by mail as well. */
export const mailedNotifications = [
  ...(['mention', 'quote', 'follow', 'follow_request', 'favourite', 'reblog'] as const),
] as const;
export type MailedNotification = (typeof mailedNotifications)[number];

/** What an account has chosen; the rest is as in `mailTopics`. */
export const MailSettings = z.object({
  on: z.array(z.string()),
  off: z.array(z.string()),
  /** Notifications are told even to those who have a stream open, or get push messages. */
  always: z.boolean(),
});
export type MailSettings = z.infer<typeof MailSettings>;

/** What a mail is about. Everything else that it says is read when it is sent. */
export const MailContent = z.discriminatedUnion('kind', [
  /** The password was changed. */
  z.object({ kind: z.literal('passwordChanged') }),
  /** A new password was asked for: the link holds for this request. */
  z.object({ kind: z.literal('passwordReset'), requestId: identifier }),
  /** The address has to be confirmed: the link holds for this request. */
  z.object({ kind: z.literal('confirmation'), requestId: identifier }),
  /** To the address that the account had before. */
  z.object({ kind: z.literal('emailChanged'), email: z.string() }),
  /** For staff: somebody was reported. */
  z.object({ kind: z.literal('report'), reportId: identifier, reporterId: identifier }),
  /** For staff: an account signed up, and waits for approval. */
  z.object({ kind: z.literal('signUp'), accountId: identifier }),
  /** Staff have warned the account, and have perhaps done more. */
  z.object({
    kind: z.literal('warned'),
    text: z.string(),
    /** What was done besides; nothing where absent. */
    action: z.enum(warningActions).optional(),
    strikeId: identifier.optional(),
  }),
  /** What staff have decided about the account. */
  z.object({ kind: z.literal('decided'), decision: z.enum(mailedDecisions) }),
  /** How the account is protected was changed; `name`: of the passkey. */
  z.object({ kind: z.literal('secured'), change: z.enum(securityChanges), name: z.string().optional() }),
  /** Somebody has signed in with the password from where nobody had before. */
  z.object({
    kind: z.literal('signedIn'),
    /** The IP address. */
    address: z.string(),
    /** Its User-Agent; empty where it sends none. */
    browser: z.string(),
  }),
  /** An application has got a token: told of its first one only. */
  z.object({ kind: z.literal('applicationAuthorized'), tokenId: z.string() }),
  /** The address is confirmed, and the account can be used. */
  z.object({ kind: z.literal('welcome') }),
  /** A notification, to somebody who seems to be away. */
  z.object({
    kind: z.literal('notification'),
    notificationId: identifier,
    type: z.enum(mailedNotifications),
  }),
  /** For staff: an account has appealed against a strike. */
  z.object({ kind: z.literal('appeal'), accountId: identifier, strikeId: identifier }),
  /** What staff have decided about an appeal of the account. */
  z.object({ kind: z.literal('appealDecided'), strikeId: identifier, isApproved: z.boolean() }),
  /** Staff announce something, and have it sent by mail. */
  z.object({ kind: z.literal('announcement'), announcementId: identifier }),
  /** For staff: what would trend, and was not reviewed. Hashtags, pages and statuses. */
  z.object({
    kind: z.literal('trends'),
    tags: z.array(z.string()),
    links: z.array(z.object({ url: z.string(), title: z.string() })),
    statusIds: z.array(identifier),
  }),
  /** Its owner is about to delete the account, has taken that back, or it is deleted. */
  z.object({ kind: z.literal('deletionBegun'), deletesAt: z.number() }),
  z.object({ kind: z.literal('deletionTakenBack') }),
  z.object({ kind: z.literal('deleted') }),
  /** The archive that it asked for can be downloaded, or could not be made. */
  z.object({ kind: z.literal('archiveReady'), archiveId: identifier }),
  z.object({ kind: z.literal('archiveFailed') }),
  /** Staff have published terms of service that take effect on this day (since 1970), and tell everybody. */
  z.object({ kind: z.literal('terms'), day: z.number() }),
  /** To whoever has subscribed to the account: new posts, newest first. */
  z.object({ kind: z.literal('posts'), subscriptionId: identifier, statusIds: z.array(identifier) }),
  /** To an address that is to get them: the link holds for this subscription. */
  z.object({ kind: z.literal('subscriptionConfirmation'), subscriptionId: identifier }),
]);
export type MailContent = z.infer<typeof MailContent>;
export type MailKind = MailContent['kind'];

/** Where mail was refused for good. */
export const RefusedMail = z.object({
  email: z.string(),
  at: z.number(),
  /** What the mail server said last. */
  response: z.string(),
  /** Refusals of this address. */
  count: z.number(),
});

export const AccountMail = z.object({
  refused: RefusedMail.optional(),
  /** A new password was asked for; links to set one hold for this request. Absent once one was set. */
  reset: z.object({ requestId: identifier, expiresAt: z.number() }).optional(),
  /** An address that has to be confirmed: that of the login, or one that is to replace it. */
  confirmation: z.object({ requestId: identifier, expiresAt: z.number(), email: z.string() }).optional(),
  settings: MailSettings.optional(),
  /** Notifications above this id are looked at when the timer is due that is set; absent where there is none. */
  notifying: z.object({ afterId: identifier }).optional(),
});
export type AccountMail = z.infer<typeof AccountMail>;
