/** A list of accounts with the actions for each. */

import type { Profile } from '../../../actors/account/profile/profile.records.ts';
import type { AccountView } from '../../../actors/account/profile/profiles.queries.ts';
import { type Html, html } from '../../../services/words/html.ts';
import { memberOf, type Visit } from '../visit.ts';
import { byline } from './account.ts';
import { relationButtons } from './relations.ts';

/** Additional content for each. */
export type OfPerson = (profile: Profile) => Html;

export function people(visit: Visit, accounts: readonly AccountView[], label: string, more?: OfPerson): Html {
  const member = memberOf(visit);
  const rows = accounts.map(
    ({ profile }) =>
      html`<li class="entry person">${byline(visit, profile)}${member && relationButtons(member, profile)}${more?.(profile)}</li>`,
  );
  return html`<ul class="timeline people" aria-label="${label}">${rows}</ul>`;
}
