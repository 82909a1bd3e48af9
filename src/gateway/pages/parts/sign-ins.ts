/** Where the visitor is signed in, in browsers and with applications, and the buttons to sign each out. */
import { dayOf, type UsedFrom } from '../../../actors/session/session.messages.ts';
import { authorizationsOf } from '../../../operations/applications/authorizations.ts';
import type { AccountCaller } from '../../../operations/caller.ts';
import { unlimited } from '../../../operations/rate-limits.ts';
import { browserSessionsOf } from '../../../operations/registration/browser-sessions.ts';
import { type Html, html } from '../../../services/words/html.ts';
import { webLimits } from '../limits.ts';
import type { MemberVisit } from '../visit.ts';
import { fullDay } from './time.ts';

export function signIns(visit: MemberVisit): Html {
  return html`${browsers(visit)}
${applications(visit)}`;
}

function contextOf({ services, account, cause }: MemberVisit) {
  const caller: AccountCaller = { kind: 'account', accountId: account.id, limits: unlimited, cause };
  return { caller, services };
}

function browsers(visit: MemberVisit): Html {
  const words = visit.words.settings.browsers;
  const sessions = browserSessionsOf(contextOf(visit));
  const rows = sessions.map(({ id, sessionId, session }) => {
    const isThis = sessionId === visit.sessionId;
    return row({
      name: html`${session.browser === '' ? words.unknown : session.browser}${isThis && html` <span class="badge">${words.thisOne}</span>`}`,
      details: html`${words.details({ day: fullDay(visit, session.openedAt), used: used(visit, session.lastUsedDay) })}${usedFrom(visit, session)}`,
      end: isThis
        ? html`<a class="button quiet" href="/auth/sign_out">${words.signOut}</a>`
        : html`<button class="quiet" form="acts" formaction="/web/sessions/${id}/close">${words.signOut}</button>`,
    });
  });
  return html`<section class="card plain settings" id="browsers"><h2>${words.title}</h2>
<p>${words.introduction}</p>
<ul class="rows">${rows}</ul>
${sessions.length > 1 && html`<button class="quiet" form="acts" formaction="/web/sessions/close-others">${words.signOutOthers}</button>`}
</section>`;
}

function applications(visit: MemberVisit): Html {
  const words = visit.words.settings.applications;
  const listed = authorizationsOf(contextOf(visit));
  const rows = listed.slice(0, webLimits.pageAuthorizations).map(({ id, token, application }) => {
    const told = { day: fullDay(visit, token.createdAt), scopes: html`<bdi>${token.scopes.join(', ')}</bdi>` };
    return row({
      name: html`<bdi>${application?.name ?? words.unknown}</bdi>`,
      details:
        token.lastUsedDay === 0
          ? words.detailsUnused(told)
          : html`${words.details({ ...told, used: used(visit, token.lastUsedDay) })}${usedFrom(visit, token)}`,
      end: html`<button class="quiet" form="acts" formaction="/web/authorizations/${id}/revoke">${words.revoke}</button>`,
    });
  });
  const more = listed.length - rows.length;
  return html`<section class="card plain settings" id="applications"><h2>${words.title}</h2>
${
  listed.length === 0
    ? html`<p>${words.none}</p>`
    : html`<p>${words.introduction}</p>
<ul class="rows">${rows}</ul>`
}
${more > 0 && html`<p class="fine">${words.more({ count: more })}</p>`}
${listed.length > 1 && html`<button class="quiet" form="acts" formaction="/web/authorizations/revoke-all">${words.revokeAll}</button>`}
</section>`;
}

interface Row {
  readonly name: Html;
  readonly details: Html;
  readonly end: Html;
}

function row({ name, details, end }: Row): Html {
  return html`<li><p><strong>${name}</strong><span class="fine">${details}</span></p>${end}</li>`;
}

/** `day` counts from 1970. */
function used({ words, now }: MemberVisit, day: number): string {
  return words.formats.daysAgo(Math.max(0, dayOf(now) - day));
}

/** The last address that is kept of it. */
function usedFrom(
  { words, now }: MemberVisit,
  { usedFrom: from }: { usedFrom?: UsedFrom | undefined },
): Html | undefined {
  if (from === undefined || from.until <= now) return undefined;
  return html`<br>${words.settings.signedIn.from({ address: html`<bdi>${from.address}</bdi>` })}`;
}
