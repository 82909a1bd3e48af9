/** Who may sign up, and who may come at all: what staff decide about e-mail addresses, IP addresses and names. Pure. */
import { hash } from 'node:crypto';

/** From the mildest to the strictest. `no_access`: no request at all is served (behaviour of the Mastodon API). */
export const addressSeverities = ['sign_up_requires_approval', 'sign_up_block', 'no_access'] as const;
export type AddressSeverity = (typeof addressSeverities)[number];

export function strictestOf(severities: Iterable<AddressSeverity>): AddressSeverity | undefined {
  const ranks = Array.from(severities, (severity) => addressSeverities.indexOf(severity));
  return ranks.length === 0 ? undefined : addressSeverities[Math.max(...ranks)];
}

/**
 * One form for all spellings that commonly lead to the same mailbox (behaviour of the Mastodon API): lower case, without
 * the dots of the local part and without what follows a plus sign. Undefined for what is no address.
 */
export function canonicalEmail(email: string): string | undefined {
  const [local, domain, ...rest] = email.trim().toLowerCase().split('@');
  const canonical = local?.split('+')[0]?.replaceAll('.', '');
  if (canonical === undefined || canonical === '' || domain === undefined || domain === '' || rest.length > 0)
    return undefined;
  return `${canonical}@${domain}`;
}

/** SHA-256 of that form, in hexadecimal digits: lists of blocked addresses have no others. Undefined for what is no address. */
export function canonicalHash(email: string): string | undefined {
  const canonical = canonicalEmail(email);
  return canonical && hash('sha256', canonical);
}

/** The domain of an address, and each domain above it: a rule for one applies to those below. */
export function domainsOfEmail(email: string): string[] {
  const labels = (email.trim().toLowerCase().split('@')[1] ?? '').split('.');
  return labels.map((_, index) => labels.slice(index).join('.')).filter((domain) => domain !== '');
}

const lookalikes: Readonly<Record<string, string>> = {
  ...{ 0: 'o', 1: 'i', 2: 'z', 3: 'e', 4: 'a', 5: 's', 7: 't', 8: 'b', 9: 'g' },
};

/** Names that look alike have the same form. */
function lookOf(username: string): string {
  return username.toLowerCase().replace(/\d/g, (digit) => lookalikes[digit] ?? digit);
}

export interface UsernameRule {
  /** As typed, in lower case. */
  readonly username: string;
  /** Only this name; otherwise every name that contains it. */
  readonly isExact: boolean;
}

export function isNamedBy({ username: ruled, isExact }: UsernameRule, username: string): boolean {
  const look = lookOf(username);
  return isExact ? look === lookOf(ruled) : look.includes(lookOf(ruled));
}
