/** The names of other servers, as staff type them. */
import { normaliseHost } from '../../federation/webfinger/handle.ts';
import { Failure, validationFailure } from '../../runtime/errors.ts';
import type { Services } from '../../services/services.ts';

/** In normal form. Throws Failure validation for what is no domain, and for this server's own. */
export function otherDomain({ addresses }: Pick<Services, 'addresses'>, typed: string): string {
  if (typed.trim() === '') throw validationFailure("Domain can't be blank");
  const domain = normaliseHost(typed.trim().toLowerCase());
  if (domain === undefined || addresses.isOwnHost(domain)) throw validationFailure('Domain is not a valid domain name');
  return domain;
}

export function noSuchRule(domain: string): Failure {
  return new Failure('notFound', { text: `There is no rule for ${domain}.` });
}
