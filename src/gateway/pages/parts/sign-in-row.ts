/** One entry of the history of sign-ins: for the account itself, and for staff. */
import type { StoredSignIn } from '../../../actors/account/sign-ins/sign-ins.queries.ts';
import { applicationOfClient } from '../../../actors/session/session.queries.ts';
import { browserName } from '../../../services/browser-name.ts';
import { type Html, html } from '../../../services/words/html.ts';
import type { MemberVisit } from '../visit.ts';
import { fullTime } from './time.ts';

export function signInRow(visit: MemberVisit, signIn: StoredSignIn): Html {
  const { way, succeeded, at, address, userAgent, clientId } = signIn;
  const words = visit.words.settings.history;
  const application = clientId === undefined ? undefined : applicationOfClient(visit.services.snapshots, clientId);
  const software = application?.name ?? (browserName(userAgent) || userAgent);
  const where = [address, software].filter((part) => part !== undefined && part !== '');
  return html`<li><p><strong>${succeeded ? words.ways[way] : words.failed[way]}</strong><span class="fine">${fullTime(visit, at)}${where.map((part) => html` · <bdi>${part}</bdi>`)}</span></p></li>`;
}
