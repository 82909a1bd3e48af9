/** What a local account signs in with besides its password. Times are milliseconds since 1970. */
import { z } from 'zod';
import { identifier } from '../account.records.ts';

export const Totp = z.object({
  /** The secret of the codes, sealed (services/sealing.ts). */
  sealed: z.string(),
  /** Of the last code that was used, counted in periods since 1970: that code and older ones hold no more. */
  lastStep: z.number(),
  since: z.number(),
});
export type Totp = z.infer<typeof Totp>;

export const TwoFactor = z.object({
  /** Codes of an authenticator app (RFC 6238). */
  totp: Totp.optional(),
  /** Digests of the recovery codes that were not used yet. */
  recoveryCodes: z.array(z.string()),
  /** When the account was last told by mail of a wrong code. */
  toldOfFailureAt: z.number().optional(),
  /** Digests of challenges that passkeys have signed, until they end. */
  usedChallenges: z.array(z.object({ digest: z.string(), end: z.number() })).optional(),
});
export type TwoFactor = z.infer<typeof TwoFactor>;

/** A code that was found right, or what a passkey has signed: it is used up by the message that carries it. */
export const UsedCode = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('totp'), step: z.number() }),
  z.object({ kind: z.literal('recovery'), digest: z.string() }),
  z.object({
    kind: z.literal('passkey'),
    passkeyId: identifier,
    counter: z.number(),
    isBackedUp: z.boolean(),
    /** Digest of the challenge that it has signed, and until when that holds. */
    challenge: z.string(),
    end: z.number(),
  }),
]);
export type UsedCode = z.infer<typeof UsedCode>;

export const NewPasskey = z.object({
  /** As the browser calls it, in base64url; so is the key (COSE, RFC 9052). */
  credentialId: z.string(),
  publicKey: z.string(),
  /** How often it has signed; 0 where it does not count. */
  counter: z.number(),
  /** How browsers reach it: `internal`, `usb` and others. */
  transports: z.array(z.string()),
  /** Whether it is kept by more than one device. */
  isBackedUp: z.boolean(),
  name: z.string(),
});
export type NewPasskey = z.infer<typeof NewPasskey>;

export const Passkey = NewPasskey.extend({
  createdAt: z.number(),
  /** Days since 1970; 0 before its first use. */
  lastUsedDay: z.number(),
});
export type Passkey = z.infer<typeof Passkey>;
