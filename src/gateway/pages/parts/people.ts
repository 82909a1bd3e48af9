/** A list of people: who they are, and the button that follows them. */
import { findRelationship } from '../../../actors/account/relationships/relationships.queries.ts';
import type { AccountView } from '../../../actors/account/statuses/statuses.queries.ts';
import type { Visit } from '../visit.ts';
import { byline, followButton } from './account.ts';
import { type Html, html } from './html.ts';

export function people(visit: Visit, accounts: readonly AccountView[], label: string): Html {
  return html`<ul class="timeline people" aria-label="${label}">${accounts.map((one) => person(visit, one))}</ul>`;
}

/** Has an id, by which an open page exchanges it. */
export function person(visit: Visit, { profile }: AccountView): Html {
  const { account, services, now } = visit;
  const relation = account && findRelationship(services.snapshots, account.id, profile.id, now);
  return html`<li class="entry person" id="person-${profile.id}">${byline(visit, profile)}${relation && followButton(visit, profile, relation)}</li>`;
}
