/** GET and POST /web/statuses/:id/filter: which filters of the visitor hide one post, whatever its words. */
import { filtersOf } from '../../../actors/account/filters/filters.queries.ts';
import { addFilterStatus, removeFilterStatus } from '../../../operations/filters/filter-status.ts';
import { Failure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { type Html, html } from '../../../services/words/html.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { redirect } from '../../http/answers.ts';
import { hidden } from '../../oauth/forms.ts';
import type { RawRoute } from '../../route.ts';
import { shownStatus } from '../filtered.ts';
import { memberPage, pageRoute } from '../page-handler.ts';
import { plainName } from '../parts/account.ts';
import { siteAnswer } from '../parts/frame.ts';
import { pathOfStatus } from '../parts/links.ts';
import { linkTo } from '../parts/slots.ts';
import { formRoute } from '../signed-in-form.ts';
import { idInPath, type MemberVisit } from '../visit.ts';

const path = '/web/statuses/:id/filter';

const filteredPostPage = memberPage((visit, context) => {
  const view = shownStatus(visit, idInPath(context), 'single');
  if (view === undefined || view.reblog !== undefined) throw new Failure('notFound');
  const { status, author } = view;
  const words = visit.words.lists.filters.ofPost;
  const link = linkTo(pathOfStatus(author.profile, status.id));
  const main = html`<h1 class="list">${words.title}</h1>
<p class="list">${words.of({ link, name: html`<bdi>${plainName(author.profile)}</bdi>` })}</p>
${choiceOfFilters(visit, status.id)}`;
  return siteAnswer(visit, { title: words.title, main, current: 'settings', isIndexed: false });
});

function choiceOfFilters({ services, account, formToken, words }: MemberVisit, statusId: Id): Html {
  const filters = filtersOf(services.snapshots, account.id);
  const { ofPost } = words.lists.filters;
  if (filters.length === 0) return html`<p class="card plain">${ofPost.none({ link: linkTo('/filters') })}</p>`;
  const choices = filters.map(
    ({ id, title, statuses }) =>
      html`<label class="choice"><input type="checkbox" name="filter" value="${id}"${statuses.some((one) => one.statusId === statusId) && html` checked`}> <bdi>${title}</bdi></label>`,
  );
  return html`<form class="card plain settings" method="post" action="/web/statuses/${statusId}/filter">
${hidden('form_token', formToken)}
<fieldset class="field choices"><legend>${words.lists.filters.yours}</legend>${choices}</fieldset>
<button type="submit">${ofPost.save}</button> <a class="button quiet" href="/filters">${ofPost.all}</a>
</form>`;
}

/** One filter after the other: unchanged choices are skipped. */
const filteredPostForm = formRoute(path, async (form, context) => {
  const { services, account, fields } = form;
  const statusId = idInPath(context);
  const chosen = new Set(fields.all('filter'));
  for (const { id: filterId, statuses } of filtersOf(services.snapshots, account.id)) {
    const present = statuses.find((one) => one.statusId === statusId);
    const isChosen = chosen.has(filterId.toString());
    if (isChosen && present === undefined) await addFilterStatus(form, { filterId, statusId });
    if (!isChosen && present !== undefined) await removeFilterStatus(form, { filterStatusId: present.id });
  }
  return redirect('/filters?done=changed', 303);
});

export const filteredPostRoutes: readonly RawRoute<GatewayServices>[] = [
  pageRoute(path, filteredPostPage),
  filteredPostForm,
];
