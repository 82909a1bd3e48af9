/** GET and POST /web/accounts/:id/lists: which lists of the visitor contain an account. */
import { listsOf, listsWithMember } from '../../../actors/account/lists/lists.queries.ts';
import { knownAccount } from '../../../operations/accounts/known-account.ts';
import { addToList, removeFromList } from '../../../operations/lists/list-members.ts';
import { type Html, html } from '../../../services/words/html.ts';
import { redirect } from '../../http/answers.ts';
import { hidden } from '../../oauth/forms.ts';
import { memberPage } from '../page-handler.ts';
import { byline, plainName } from '../parts/account.ts';
import { siteAnswer } from '../parts/frame.ts';
import { handleOf } from '../parts/links.ts';
import { relationTo } from '../parts/relations.ts';
import { linkTo } from '../parts/slots.ts';
import { formRoute } from '../signed-in-form.ts';
import { idInPath, type MemberVisit } from '../visit.ts';

export const accountListsPage = memberPage((visit, context) => {
  const { profile } = knownAccount(visit.services, idInPath(context));
  const isFollowed = relationTo(visit, profile.id).follow?.state === 'accepted';
  const words = visit.words.lists;
  const title = words.withAccount({ name: plainName(profile) });
  const main = html`<h1 class="list">${title}</h1>
<div class="card person">${byline(visit, profile)}</div>
${isFollowed ? listsForm(visit, profile.id) : html`<p class="card plain">${words.followFirst({ account: `@${handleOf(profile)}` })}</p>`}`;
  return siteAnswer(visit, { title, main, current: 'lists', isIndexed: false });
});

function listsForm({ services, account, formToken, words }: MemberVisit, memberId: bigint): Html {
  const lists = listsOf(services.snapshots, account.id);
  if (lists.length === 0) return html`<p class="card plain">${words.lists.createOne({ link: linkTo('/lists') })}</p>`;
  const holding = new Set(listsWithMember(services.snapshots, account.id, memberId).map(({ id }) => id));
  const choices = lists.map(
    ({ id, title }) =>
      html`<label class="choice"><input type="checkbox" name="list" value="${id}"${holding.has(id) && html` checked`}> <bdi>${title}</bdi></label>`,
  );
  return html`<form class="card plain settings" method="post" action="/web/accounts/${memberId}/lists">
${hidden('form_token', formToken)}
<fieldset class="field choices"><legend>${words.lists.yours}</legend>${choices}</fieldset>
<button type="submit">${words.lists.saveChoice}</button> <a class="button quiet" href="/lists">${words.lists.allLists}</a>
</form>`;
}

/** One list after the other: unchanged choices are skipped. */
export const accountListsForm = formRoute('/web/accounts/:id/lists', async (form, context) => {
  const { services, account, fields } = form;
  const { profile } = knownAccount(services, idInPath(context));
  const chosen = new Set(fields.all('list'));
  const holding = new Set(listsWithMember(services.snapshots, account.id, profile.id).map(({ id }) => id));
  for (const { id: listId } of listsOf(services.snapshots, account.id)) {
    const isChosen = chosen.has(listId.toString());
    if (isChosen === holding.has(listId)) continue;
    await (isChosen ? addToList : removeFromList)(form, { listId, memberIds: [profile.id] });
  }
  return redirect(`/@${handleOf(profile)}`, 303);
});
