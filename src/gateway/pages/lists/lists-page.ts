/**
 * /lists: the visitor's lists, and the form for a new one; /lists/:id/settings: one list. And their forms: POST
 * /web/lists, /web/lists/:id and /web/lists/:id/remove.
 */
import { listLimits } from '../../../actors/account/lists/limits.ts';
import { countMembers, listsOf, type StoredList } from '../../../actors/account/lists/lists.queries.ts';
import { type List, repliesPolicies } from '../../../actors/account/lists/lists.records.ts';
import { changeList, createList, removeList } from '../../../operations/lists/change-list.ts';
import { ownList } from '../../../operations/lists/own-list.ts';
import { type Html, html } from '../../../services/words/html.ts';
import { type Answer, redirect } from '../../http/answers.ts';
import { alert, hidden, queryFields } from '../../oauth/forms.ts';
import { webLimits } from '../limits.ts';
import { memberPage } from '../page-handler.ts';
import { choices, titleField } from '../parts/form-fields.ts';
import { siteAnswer } from '../parts/frame.ts';
import { type Refused, refusedDraft } from '../refused.ts';
import { formRoute, type SignedInForm } from '../signed-in-form.ts';
import { idInPath, type MemberVisit } from '../visit.ts';
import { listHead, listPath } from './list-head.ts';

type ListDraft = Pick<List, 'title' | 'repliesPolicy' | 'exclusive'>;

const newList: ListDraft = { title: '', repliesPolicy: 'list', exclusive: false };

export const listsPage = memberPage((visit, { request }) =>
  listsAnswer(visit, undefined, queryFields(request.query).get('done') === 'removed'),
);

function listsAnswer(visit: MemberVisit, refused?: Refused<ListDraft>, isRemoved = false): Answer {
  const words = visit.words.lists;
  const lists = listsOf(visit.services.snapshots, visit.account.id);
  const isFull = lists.length >= listLimits.listsMax;
  const main = html`<h1 class="list">${words.title}</h1>
${isRemoved && html`<p class="card done" role="status">${words.removed}</p>`}
${lists.length > 0 && html`<ul class="timeline lists" aria-label="${words.yours}">${lists.map((list) => listEntry(visit, list))}</ul>`}
${lists.length === 0 && html`<div class="empty"><h2>${words.none}</h2><p>${words.noneHint}</p></div>`}
${isFull && html`<p class="fine">${words.full({ limit: listLimits.listsMax })}</p>`}
${(!isFull || refused !== undefined) && listForm(visit, { path: '/web/lists', title: words.newList, button: words.make }, refused?.draft ?? newList, refused)}`;
  const status = refused === undefined ? 200 : 422;
  return siteAnswer(visit, { title: words.title, main, status, current: 'lists', isIndexed: false });
}

function listEntry({ services, words: { lists } }: MemberVisit, list: StoredList): Html {
  const { countedMembersMax } = webLimits;
  const members = countMembers(services.snapshots, list.id, countedMembersMax + 1);
  const label =
    members > countedMembersMax ? lists.manyMembers({ number: countedMembersMax }) : lists.members({ count: members });
  return html`<li class="entry"><a href="${listPath(list)}"><bdi>${list.title}</bdi></a>
<span class="fine"><a href="${listPath(list)}/people">${label}</a>${list.exclusive && html` · ${lists.notInHome}`}</span></li>`;
}

interface ListForm {
  readonly path: string;
  readonly title: string;
  readonly button: string;
}

function listForm(visit: MemberVisit, form: ListForm, draft: ListDraft, refused?: Refused<ListDraft>): Html {
  const words = visit.words.lists;
  return html`<form class="card plain settings" method="post" action="${form.path}">
<h2>${form.title}</h2>
${alert(refused === undefined ? undefined : (refused.problem ?? visit.words.problems.checkFields))}
${hidden('form_token', visit.formToken)}
${titleField(visit.words, draft.title, listLimits.titleCharactersMax, refused)}
${choices(words.replies, 'replies_policy', 'radio', words.repliesPolicy, [draft.repliesPolicy])}
<div class="field"><label class="choice"><input type="checkbox" name="exclusive" value="1"${draft.exclusive && html` checked`} aria-describedby="exclusive-hint"> <span>${words.onlyHere}</span></label>
<p class="fine" id="exclusive-hint">${words.onlyHereHint}</p></div>
<button type="submit">${form.button}</button>
</form>`;
}

export const listSettingsPage = memberPage((visit, context) => {
  const list = ownList(visit.services, visit.account.id, idInPath(context));
  return settingsAnswer(visit, list, undefined, queryFields(context.request.query).get('done') === 'changed');
});

function settingsAnswer(visit: MemberVisit, list: StoredList, refused?: Refused<ListDraft>, isChanged = false): Answer {
  const path = `/web${listPath(list)}`;
  const words = visit.words.lists;
  const form = { path, title: words.thisList, button: words.save };
  const main = html`${listHead(visit, list, 'settings')}
${isChanged && html`<p class="card done" role="status">${words.changed}</p>`}
${listForm(visit, form, refused?.draft ?? list, refused)}
<section class="card plain settings"><h2>${words.remove}</h2>
<p>${words.removeHint}</p>
<details class="confirm"><summary class="button quiet">${words.removeMore}</summary><p>${words.removeQuestion({ title: html`<bdi><strong>${list.title}</strong></bdi>` })}</p>
<button class="danger" form="acts" formaction="${path}/remove">${words.remove}</button></details></section>`;
  const status = refused === undefined ? 200 : 422;
  return siteAnswer(visit, { title: list.title, main, status, current: 'lists', isIndexed: false });
}

function draftIn({ fields }: SignedInForm): ListDraft {
  return {
    title: fields.get('title') ?? '',
    repliesPolicy: repliesPolicies.find((one) => one === fields.get('replies_policy')) ?? newList.repliesPolicy,
    exclusive: fields.get('exclusive') !== undefined,
  };
}

export const createListForm = formRoute('/web/lists', async (form) => {
  const draft = draftIn(form);
  try {
    const list = await createList(form, draft);
    return redirect(`${listPath(list)}/people`, 303);
  } catch (error) {
    return listsAnswer(form.visit, refusedDraft(form.visit.words, draft, error));
  }
});

export const changeListForm = formRoute('/web/lists/:id', async (form, context) => {
  const list = ownList(form.services, form.account.id, idInPath(context));
  const draft = draftIn(form);
  try {
    await changeList(form, { listId: list.id, ...draft });
    return redirect(`${listPath(list)}/settings?done=changed`, 303);
  } catch (error) {
    return settingsAnswer(form.visit, list, refusedDraft(form.visit.words, draft, error));
  }
});

export const removeListForm = formRoute('/web/lists/:id/remove', async (form, context) => {
  await removeList(form, { listId: idInPath(context) });
  return redirect('/lists?done=removed', 303);
});
