/** What an invite says of itself, for its creator and for staff. */
import type { InviteView } from '../../../operations/invites/invites.ts';
import { type Html, html } from '../../../services/words/html.ts';
import { fullTime, timeAgo } from '../parts/time.ts';
import type { Visit } from '../visit.ts';

export function inviteFacts(visit: Visit, { invite, state }: InviteView): Html {
  const { invites: words } = visit.words;
  const { uses, usesMax, expiresAt, autofollow, comment, createdAt } = invite;
  const used = usesMax === undefined ? words.used({ count: uses }) : words.usedOf({ count: uses, limit: usesMax });
  return html`<p class="fine"><span class="badge">${words.states[state]}</span> ${used}${
    expiresAt !== undefined && state !== 'ended' && html` · ${words.until({ time: fullTime(visit, expiresAt) })}`
  }${autofollow && html` · ${words.follows}`} · ${timeAgo(visit, createdAt)}</p>
${comment !== '' && html`<p class="plain-text" dir="auto">${comment}</p>`}`;
}
