/** What is kept of sign-ins to a local account, and of its addresses. Times are milliseconds since 1970. */
import { z } from 'zod';

/**
 * `password`: on the pages, or by an application that passed the password on; `token`: an application got a token for an
 * account that had signed in; `registration`: the sign-up; `secondFactor`: a code or a passkey after the
 * password; `passkey`: one alone. Append only.
 */
export const signInWays = ['password', 'token', 'registration', 'secondFactor', 'passkey'] as const;

/** Where a sign-in comes from, as the thread knows it that was asked. */
export const SignInSource = z.object({
  way: z.enum(signInWays),
  /** An IP address. */
  address: z.string().optional(),
  userAgent: z.string().optional(),
  /** The application that got a token. */
  clientId: z.string().optional(),
  /** How long it is kept. */
  until: z.number(),
});
export type SignInSource = z.infer<typeof SignInSource>;

export const SignIn = SignInSource.extend({ succeeded: z.boolean(), at: z.number() });
export type SignIn = z.infer<typeof SignIn>;

/** When an address was last used, by a sign-in or a token. */
export const UsedAddress = z.object({ usedAt: z.number(), until: z.number() });
export type UsedAddress = z.infer<typeof UsedAddress>;

/** An e-mail address that the account had. */
export const FormerEmail = z.object({ email: z.string(), at: z.number(), until: z.number() });
export type FormerEmail = z.infer<typeof FormerEmail>;
