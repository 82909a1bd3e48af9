/** Records of who may sign up or come at all. Times are milliseconds since 1970. */
import { z } from 'zod';
import { identifier } from '../../account/account.records.ts';
import { addressSeverities } from '../../policy/access.ts';

const ruled = { id: identifier, createdAt: z.number() };

export const NewEmailDomainBlock = z.object({
  domain: z.string(),
  /** Who signs up with it waits for the approval of staff; otherwise it is refused. */
  allowWithApproval: z.boolean(),
});

/** Sign-ups with the domain of one day (days since 1970, UTC). */
const Attempts = z.object({ day: z.number(), uses: z.number(), addresses: z.number() });

export const EmailDomainBlock = NewEmailDomainBlock.extend({
  ...ruled,
  /** The latest days with any, newest first. */
  attempts: z.array(Attempts),
  /** Digests of the IP addresses of the newest of these days. */
  seen: z.array(z.string()),
});
export type EmailDomainBlock = z.infer<typeof EmailDomainBlock>;

export const CanonicalEmailBlock = z.object({
  ...ruled,
  /** SHA-256 of the canonical address, in hexadecimal digits: the address itself is not kept. */
  hash: z.string(),
  /** The account whose suspension has blocked it; absent where staff have. */
  accountId: identifier.optional(),
});
export type CanonicalEmailBlock = z.infer<typeof CanonicalEmailBlock>;

export const AddressBlockContent = z.object({
  /** An address range in normal form. */
  range: z.string(),
  severity: z.enum(addressSeverities),
  comment: z.string(),
  expiresAt: z.number().optional(),
});
export type AddressBlockContent = z.infer<typeof AddressBlockContent>;

export const AddressBlock = AddressBlockContent.extend(ruled);
export type AddressBlock = z.infer<typeof AddressBlock>;

export const NewUsernameBlock = z.object({
  username: z.string(),
  isExact: z.boolean(),
  /** As of e-mail domains. */
  allowWithApproval: z.boolean(),
});

export const UsernameBlock = NewUsernameBlock.extend(ruled);
export type UsernameBlock = z.infer<typeof UsernameBlock>;
