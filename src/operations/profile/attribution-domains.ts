/** The web sites that may name the account as the author of an article. */
import { normaliseHost } from '../../federation/webfinger/handle.ts';
import { type FieldProblem, invalid } from '../refused-fields.ts';
import { profileLimits } from './limits.ts';

/** Each once; users write them with a scheme or for all subdomains, and forms send blank ones to clear the list. */
function written(given: readonly string[]): string[] {
  const domains = given.map((domain) =>
    domain
      .trim()
      .toLowerCase()
      .replace(/^https?:\/\//, '')
      .replace(/^\*\./, '')
      .replace(/\/$/, ''),
  );
  return [...new Set(domains.filter((domain) => domain !== ''))];
}

export function domainProblems(given: readonly string[] = []): FieldProblem[] {
  const domains = written(given);
  const { attributionDomainsMax } = profileLimits;
  if (domains.length > attributionDomainsMax)
    return [
      {
        kind: 'tooLong',
        words: `has the wrong length (maximum is ${attributionDomainsMax})`,
        reason: 'oneTooMany',
        limit: attributionDomainsMax,
      },
    ];
  return domains.every((domain) => normaliseHost(domain) !== undefined) ? [] : [invalid];
}

/** In the stored form. */
export function keptDomains(given: readonly string[]): string[] {
  return written(given).flatMap((domain) => normaliseHost(domain) ?? []);
}
