/**
 * /web/find: finds known accounts and hashtags by prefix. A complete handle, or the address of a post or profile, is
 * looked up at its server, and the visitor is redirected there.
 */

import { type AccountView, findAccount } from '../../actors/account/profile/profiles.queries.ts';
import { findStatus } from '../../actors/account/status-views.queries.ts';
import { onlyUnreachable } from '../../federation/failures.ts';
import { resolveHandle } from '../../operations/accounts/resolve-handle.ts';
import type { AccountCaller } from '../../operations/caller.ts';
import type { OperationContext } from '../../operations/operation.ts';
import { isWebAddress } from '../../operations/search/resolve-address.ts';
import { type SearchResults, search } from '../../operations/search/search.ts';
import type { Id } from '../../runtime/ids.ts';
import { type Html, html } from '../../services/words/html.ts';
import { type Answer, redirect } from '../http/answers.ts';
import { queryFields } from '../oauth/forms.ts';
import { shownStatus } from './filtered.ts';
import { webLimits } from './limits.ts';
import { pageHandler } from './page-handler.ts';
import { findForm } from './parts/aside.ts';
import { siteAnswer } from './parts/frame.ts';
import { handleOf, pathOfStatus, signInPath } from './parts/links.ts';
import { people } from './parts/people.ts';
import { code } from './parts/slots.ts';
import { timeline } from './parts/timeline.ts';
import type { Visit } from './visit.ts';

/** For signed-in visitors only: an anonymous request must not make this server contact others. */
export const findPage = pageHandler(async (visit, { request, cause, limitsOf }) => {
  if (visit.account === undefined) return redirect(signInPath(visit), 303);
  const given = (queryFields(request.query).get('handle') ?? '').trim();
  if (given === '') return answer(visit, given, html``);
  const { services, account: visitor } = visit;
  const caller: AccountCaller = { kind: 'account', accountId: visitor.id, limits: limitsOf(visitor.id), cause };
  const isAddress = isWebAddress(given);
  const path = isAddress ? undefined : await pathOfHandle({ caller, services }, given);
  if (path !== undefined) return redirect(path, 303);
  const input = { words: given, resolve: isAddress, followedOnly: false, offset: 0, limit: webLimits.pagePeople };
  const results = await search({ caller, services }, input);
  const found = isAddress ? pathOfResult(visit, results) : undefined;
  return found === undefined ? listed(visit, given, results) : redirect(found, 303);
});

async function pathOfHandle(context: OperationContext<AccountCaller>, handle: string): Promise<string | undefined> {
  const accountId = await resolveHandle(context, { handle }).catch(onlyUnreachable);
  const account = accountId === undefined ? undefined : findAccount(context.services.snapshots, accountId);
  return account && `/@${handleOf(account.profile)}`;
}

function accountsOf({ snapshots }: Visit['services'], accountIds: readonly Id[]): AccountView[] {
  return accountIds.flatMap((accountId) => findAccount(snapshots, accountId) ?? []);
}

/** An address has one result. */
function pathOfResult({ services }: Visit, { accountIds, statusIds }: SearchResults): string | undefined {
  const [account] = accountsOf(services, accountIds);
  if (account !== undefined) return `/@${handleOf(account.profile)}`;
  const [statusId] = statusIds;
  const view = statusId === undefined ? undefined : findStatus(services.snapshots, statusId);
  return view && pathOfStatus(view.author.profile, view.status.id);
}

function listed(visit: Visit, given: string, { accountIds, tags, statusIds }: SearchResults): Answer {
  const words = visit.words.site.find;
  const accounts = accountsOf(visit.services, accountIds);
  const views = statusIds.flatMap((id) => shownStatus(visit, id, 'search') ?? []);
  if (accounts.length + tags.length + views.length === 0) return answer(visit, given, nothing(visit, given), 404);
  const listing = { views, newest: undefined, older: undefined, complete: true };
  const found = html`${accounts.length > 0 && people(visit, accounts, words.people({ words: given }))}
${tags.length > 0 && html`<h2 class="list">${words.hashtags}</h2>${tagLinks(tags)}`}
${views.length > 0 && html`<h2 class="list">${words.posts}</h2>${timeline(visit, listing, { label: words.posts, empty: html`` })}`}`;
  return answer(visit, given, found);
}

/** What the language of searches in posts has (operations/search/query-language.ts). */
function operatorsHelp({ services, words: { site } }: Visit): Html | false {
  if (services.search === undefined) return false;
  return html`<details class="help"><summary>${site.find.helpTitle}</summary>
<p>${site.find.help({ code })}</p>
<p>${site.find.helpScope}</p></details>`;
}

function tagLinks(tags: readonly string[]): Html {
  const links = tags.map(
    (tag) => html`<li class="entry"><a href="/tags/${encodeURIComponent(tag)}"><bdi>#${tag}</bdi></a></li>`,
  );
  return html`<ul class="timeline tags">${links}</ul>`;
}

function nothing({ words: { site } }: Visit, given: string): Html {
  return html`<div class="empty"><h2>${site.find.nothing}</h2>
<p>${site.find.nothingHint({ words: html`<bdi><strong>${given}</strong></bdi>`, code })}</p></div>`;
}

function answer(visit: Visit, given: string, found: Html, status = 200): Answer {
  const { title, label } = visit.words.site.find;
  const main = html`<h1 class="list">${title}</h1>
${findForm(visit, label, given, given === '' ? html` autofocus` : undefined)}
${operatorsHelp(visit)}
${found}`;
  return siteAnswer(visit, { title, main, status, current: 'find', isIndexed: false });
}
