/**
 * /lists/:id/people: the members of a list, and followed accounts that could be added. And the buttons: POST
 * /web/lists/:id/add and /web/lists/:id/take-out.
 */

import { isOnList, membersOf, type StoredList } from '../../../actors/account/lists/lists.queries.ts';
import { type AccountView, findAccount } from '../../../actors/account/profile/profiles.queries.ts';
import { followedBy, shownAccounts } from '../../../actors/account/relationships/relationships.queries.ts';
import type { AccountCaller } from '../../../operations/caller.ts';
import { addToList, removeFromList } from '../../../operations/lists/list-members.ts';
import { ownList } from '../../../operations/lists/own-list.ts';
import { search } from '../../../operations/search/search.ts';
import { Failure } from '../../../runtime/errors.ts';
import { parseId } from '../../../runtime/ids.ts';
import { type Html, html } from '../../../services/words/html.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { redirect } from '../../http/answers.ts';
import { queryFields } from '../../oauth/forms.ts';
import type { RawRoute } from '../../route.ts';
import { webLimits } from '../limits.ts';
import { memberPage } from '../page-handler.ts';
import { byline } from '../parts/account.ts';
import { siteAnswer } from '../parts/frame.ts';
import { formRoute } from '../signed-in-form.ts';
import { idInPath, type MemberVisit, olderThanOf } from '../visit.ts';
import { listHead, listPath } from './list-head.ts';

export const listPeoplePage = memberPage(async (visit, context) => {
  const { services, account, viewer } = visit;
  const list = ownList(services, account.id, idInPath(context));
  const wanted = queryFields(context.request.query).get('find')?.trim() ?? '';
  const words = visit.words.lists;
  const { cause, limitsOf } = context;
  const caller: AccountCaller = { kind: 'account', accountId: account.id, limits: limitsOf(account.id), cause };
  const bounds = { maxId: olderThanOf(context.request), limit: webLimits.pagePeople };
  const { items, full, oldest } = membersOf(
    services.snapshots,
    list.id,
    shownAccounts(services.snapshots, viewer),
    bounds,
  );
  const main = html`${listHead(visit, list, 'people')}
${await candidates(visit, list, wanted, caller)}
<h2 class="list">${words.onThisList}</h2>
${items.length > 0 && people(visit, list, items, words.onThisList)}
${items.length === 0 && !full && html`<div class="empty"><p>${words.nobody}</p></div>`}
${full && html`<nav class="paging"><a rel="next" href="?max_id=${oldest}">${words.more}</a></nav>`}`;
  return siteAnswer(visit, { title: list.title, main, current: 'lists', isIndexed: false });
});

/** Without search words the most recently followed accounts, otherwise those with matching names. */
async function candidates(visit: MemberVisit, list: StoredList, wanted: string, caller: AccountCaller): Promise<Html> {
  const { services, account, viewer } = visit;
  const words = visit.words.lists;
  const limit = wanted === '' ? webLimits.proposedPeople : webLimits.pagePeople;
  const found =
    wanted === ''
      ? followedBy(services.snapshots, account.id, shownAccounts(services.snapshots, viewer), {
          limit: webLimits.pagePeople,
        }).items
      : (
          await search(
            { caller, services },
            { words: wanted, kind: 'accounts', resolve: false, followedOnly: true, offset: 0, limit },
          )
        ).accountIds.flatMap((id) => findAccount(services.snapshots, id) ?? []);
  const shown = (wanted === '' ? found.filter((one) => !isOn(visit, list, one)) : found).slice(0, limit);
  return html`<form class="card plain finder" role="search"><label>${words.whomYouFollow}
<span class="line"><input name="find" value="${wanted}" placeholder="${words.findPlaceholder}" autocapitalize="none" spellcheck="false">
<button type="submit" class="quiet">${words.find}</button></span></label>
${shown.length === 0 && wanted !== '' && html`<p class="fine">${words.foundNobody}</p>`}</form>
${shown.length > 0 && people(visit, list, shown, words.peopleYouFollow)}`;
}

function isOn({ services }: MemberVisit, list: StoredList, { profile }: AccountView): boolean {
  return isOnList(services.snapshots, list.id, profile.id);
}

function people(visit: MemberVisit, list: StoredList, accounts: readonly AccountView[], label: string): Html {
  const rows = accounts.map(
    (account) =>
      html`<li class="entry person">${byline(visit, account.profile)}<span class="answer">${memberButton(visit, list, account)}</span></li>`,
  );
  return html`<ul class="timeline people" aria-label="${label}">${rows}</ul>`;
}

function memberButton(visit: MemberVisit, list: StoredList, account: AccountView): Html {
  const path = `/web${listPath(list)}`;
  const value = html`name="account" value="${account.profile.id}"`;
  return isOn(visit, list, account)
    ? html`<button class="quiet" form="acts" formaction="${path}/take-out" ${value}>${visit.words.lists.takeOut}</button>`
    : html`<button form="acts" formaction="${path}/add" ${value}>${visit.words.lists.add}</button>`;
}

function memberForm(verb: 'add' | 'take-out', change: typeof addToList): RawRoute<GatewayServices> {
  return formRoute(`/web/lists/:id/${verb}`, async (form, context) => {
    const memberId = parseId(form.fields.get('account') ?? '');
    if (memberId === undefined) throw new Failure('notFound');
    await change(form, { listId: idInPath(context), memberIds: [memberId] });
    return redirect(form.returnTo, 303);
  });
}

export const listMemberForms: readonly RawRoute<GatewayServices>[] = [
  memberForm('add', addToList),
  memberForm('take-out', removeFromList),
];
