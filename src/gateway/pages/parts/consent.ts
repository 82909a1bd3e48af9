/** Below a reply that waits for consent: what its author is told, and the buttons of whoever is asked. */
import { findAccount } from '../../../actors/account/profile/profiles.queries.ts';
import type { PresentedStatus } from '../../../operations/presentation/presented-status.ts';
import type { Id } from '../../../runtime/ids.ts';
import { type Html, html } from '../../../services/words/html.ts';
import type { Visit } from '../visit.ts';
import { plainName } from './account.ts';

export function consentOf(visit: Visit, { status }: PresentedStatus, place: Id): Html | undefined {
  const { id, heldReply, inReplyToAccountId } = status;
  if (heldReply === undefined || inReplyToAccountId === undefined) return undefined;
  const { consent } = visit.words.posts;
  if (heldReply.askedId === visit.account?.id) {
    const button = (verb: string) => `/web/statuses/${id}/${verb}-reply?at=${place}`;
    return html`<div class="consent"><p>${consent.asked}</p>
<p class="answer"><button form="acts" formaction="${button('accept')}">${consent.accept}</button> <button class="quiet" form="acts" formaction="${button('refuse')}">${consent.refuse}</button></p></div>`;
  }
  const author = findAccount(visit.services.snapshots, inReplyToAccountId);
  const name = author === undefined ? '?' : plainName(author.profile);
  return html`<p class="consent">${consent[heldReply.state]({ name })}</p>`;
}
