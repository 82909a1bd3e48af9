/** Where the visitor is signed in, in browsers and with applications, and the buttons to sign each out. */
import { dayOf } from '../../../actors/session/session.messages.ts';
import { authorizationsOf } from '../../../operations/applications/authorizations.ts';
import type { AccountCaller } from '../../../operations/caller.ts';
import { unlimited } from '../../../operations/rate-limits.ts';
import { browserSessionsOf } from '../../../operations/registration/browser-sessions.ts';
import { webLimits } from '../limits.ts';
import type { MemberVisit } from '../visit.ts';
import { type Html, html } from './html.ts';
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
  const sessions = browserSessionsOf(contextOf(visit));
  const rows = sessions.map(({ id, sessionId, session }) => {
    const isThis = sessionId === visit.sessionId;
    return row({
      name: html`${session.browser === '' ? 'A browser' : session.browser}${isThis && html` <span class="badge">This one</span>`}`,
      details: html`Signed in on ${fullDay(session.openedAt)}, last used ${usedWords(session.lastUsedDay, visit.now)}`,
      end: isThis
        ? html`<a class="button quiet" href="/auth/sign_out">Sign out</a>`
        : html`<button class="quiet" form="acts" formaction="/web/sessions/${id}/close">Sign out</button>`,
    });
  });
  return html`<section class="card plain settings" id="browsers"><h2>Browsers</h2>
<p>Where you are signed in to these pages. Sign out what you do not know, and change your password then.</p>
<ul class="rows">${rows}</ul>
${sessions.length > 1 && html`<button class="quiet" form="acts" formaction="/web/sessions/close-others">Sign out all other browsers</button>`}
</section>`;
}

function applications(visit: MemberVisit): Html {
  const listed = authorizationsOf(contextOf(visit));
  const rows = listed.slice(0, webLimits.pageAuthorizations).map(({ id, token, application }) =>
    row({
      name: html`<bdi>${application?.name ?? 'An application'}</bdi>`,
      details: html`Authorized on ${fullDay(token.createdAt)}, ${
        token.lastUsedDay === 0 ? 'never used' : `last used ${usedWords(token.lastUsedDay, visit.now)}`
      }. It may: ${token.scopes.join(', ')}`,
      end: html`<button class="quiet" form="acts" formaction="/web/authorizations/${id}/revoke">Revoke</button>`,
    }),
  );
  const more = listed.length - rows.length;
  return html`<section class="card plain settings" id="applications"><h2>Applications</h2>
${
  listed.length === 0
    ? html`<p>No application acts for you. When one asks, you will find it here.</p>`
    : html`<p>They can act for you until you revoke their access.</p>
<ul class="rows">${rows}</ul>`
}
${more > 0 && html`<p class="fine">And ${more} older ones.</p>`}
${listed.length > 1 && html`<button class="quiet" form="acts" formaction="/web/authorizations/revoke-all">Revoke all</button>`}
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
function usedWords(day: number, now: number): string {
  const daysAgo = dayOf(now) - day;
  if (daysAgo <= 0) return 'today';
  return daysAgo === 1 ? 'yesterday' : `${daysAgo} days ago`;
}
