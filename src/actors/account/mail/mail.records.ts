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
    /** As it describes itself to people; empty where it does not. */
    browser: z.string(),
  }),
  /** An application has got a token: told of its first one only. */
  z.object({ kind: z.literal('applicationAuthorized'), tokenId: z.string() }),
  /** The address is confirmed, and the account can be used. */
  z.object({ kind: z.literal('welcome') }),
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
});
export type AccountMail = z.infer<typeof AccountMail>;
