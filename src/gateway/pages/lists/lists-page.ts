/**
 * /lists: the visitor's lists, and the form for a new one; /lists/:id/settings: one list. And their forms: POST
 * /web/lists, /web/lists/:id and /web/lists/:id/remove.
 */
import { listLimits } from '../../../actors/account/lists/limits.ts';
import { countMembers, listsOf, type StoredList } from '../../../actors/account/lists/lists.queries.ts';
import { type List, repliesPolicies } from '../../../actors/account/lists/lists.records.ts';
import { changeList, createList, removeList } from '../../../operations/lists/change-list.ts';
import { ownList } from '../../../operations/lists/own-list.ts';
import { type Answer, redirect } from '../../http/answers.ts';
import { alert, hidden, notYet, queryFields } from '../../oauth/forms.ts';
import { webLimits } from '../limits.ts';
import { memberPage } from '../page-handler.ts';
import { choices, titleField } from '../parts/form-fields.ts';
import { siteAnswer } from '../parts/frame.ts';
import { type Html, html } from '../parts/html.ts';
import { type Refused, refusedDraft } from '../refused.ts';
import { formRoute, type SignedInForm } from '../signed-in-form.ts';
import { idInPath, type MemberVisit } from '../visit.ts';
import { listHead, listPath } from './list-head.ts';

type ListDraft = Pick<List, 'title' | 'repliesPolicy' | 'exclusive'>;

const repliesWords: Readonly<Record<List['repliesPolicy'], string>> = {
  list: 'Replies to people on the list',
  followed: 'Replies to anybody whom you follow',
  none: 'No replies to others',
};

const newList: ListDraft = { title: '', repliesPolicy: 'list', exclusive: false };

export const listsPage = memberPage((visit, { request }) =>
  listsAnswer(visit, undefined, queryFields(request.query).get('done') === 'removed'),
);

function listsAnswer(visit: MemberVisit, refused?: Refused<ListDraft>, isRemoved = false): Answer {
  const lists = listsOf(visit.services.snapshots, visit.account.id);
  const isFull = lists.length >= listLimits.listsMax;
  const main = html`<h1 class="list">Lists</h1>
${isRemoved && html`<p class="card done" role="status">The list is removed.</p>`}
${lists.length > 0 && html`<ul class="timeline lists" aria-label="Your lists">${lists.map((list) => listEntry(visit, list))}</ul>`}
${lists.length === 0 && html`<div class="empty"><h2>No lists yet</h2><p>A list is a timeline of its own, of some of the people whom you follow. Nobody is told who is on it.</p></div>`}
${isFull && html`<p class="fine">You have ${listLimits.listsMax} lists, and cannot have more.</p>`}
${(!isFull || refused !== undefined) && listForm(visit, { path: '/web/lists', title: 'A new list', button: 'Make the list' }, refused?.draft ?? newList, refused)}`;
  const status = refused === undefined ? 200 : 422;
  return siteAnswer(visit, { title: 'Lists', main, status, current: 'lists', isIndexed: false });
}

function listEntry({ services }: MemberVisit, list: StoredList): Html {
  const { countedMembersMax } = webLimits;
  const members = countMembers(services.snapshots, list.id, countedMembersMax + 1);
  const words =
    members > countedMembersMax ? `${countedMembersMax}+ people` : members === 1 ? '1 person' : `${members} people`;
  return html`<li class="entry"><a href="${listPath(list)}"><bdi>${list.title}</bdi></a>
<span class="fine"><a href="${listPath(list)}/people">${words}</a>${list.exclusive && ' · not in your home'}</span></li>`;
}

interface ListForm {
  readonly path: string;
  readonly title: string;
  readonly button: string;
}

function listForm(visit: MemberVisit, form: ListForm, draft: ListDraft, refused?: Refused<ListDraft>): Html {
  return html`<form class="card plain settings" method="post" action="${form.path}">
<h2>${form.title}</h2>
${alert(refused === undefined ? undefined : (refused.problem ?? notYet))}
${hidden('form_token', visit.formToken)}
${titleField(draft.title, listLimits.titleCharactersMax, refused)}
${choices('Which replies are on it', 'replies_policy', 'radio', repliesWords, [draft.repliesPolicy])}
<div class="field"><label class="choice"><input type="checkbox" name="exclusive" value="1"${draft.exclusive && html` checked`} aria-describedby="exclusive-hint"> <span>Only here</span></label>
<p class="fine" id="exclusive-hint">Posts of the people on this list are left out of your home.</p></div>
<button type="submit">${form.button}</button>
</form>`;
}

export const listSettingsPage = memberPage((visit, context) => {
  const list = ownList(visit.services, visit.account.id, idInPath(context));
  return settingsAnswer(visit, list, undefined, queryFields(context.request.query).get('done') === 'changed');
});

function settingsAnswer(visit: MemberVisit, list: StoredList, refused?: Refused<ListDraft>, isChanged = false): Answer {
  const path = `/web${listPath(list)}`;
  const form = { path, title: 'This list', button: 'Save the list' };
  const main = html`${listHead(list, 'settings')}
${isChanged && html`<p class="card done" role="status">The list is changed.</p>`}
${listForm(visit, form, refused?.draft ?? list, refused)}
<section class="card plain settings"><h2>Remove this list</h2>
<p>Its members and their posts are not affected.</p>
<details class="confirm"><summary class="button quiet">Remove it …</summary><p>The list <bdi><strong>${list.title}</strong></bdi> will be gone.</p>
<button class="danger" form="acts" formaction="${path}/remove">Remove this list</button></details></section>`;
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
    return listsAnswer(form.visit, refusedDraft(draft, error));
  }
});

export const changeListForm = formRoute('/web/lists/:id', async (form, context) => {
  const list = ownList(form.services, form.account.id, idInPath(context));
  const draft = draftIn(form);
  try {
    await changeList(form, { listId: list.id, ...draft });
    return redirect(`${listPath(list)}/settings?done=changed`, 303);
  } catch (error) {
    return settingsAnswer(form.visit, list, refusedDraft(draft, error));
  }
});

export const removeListForm = formRoute('/web/lists/:id/remove', async (form, context) => {
  await removeList(form, { listId: idInPath(context) });
  return redirect('/lists?done=removed', 303);
});
