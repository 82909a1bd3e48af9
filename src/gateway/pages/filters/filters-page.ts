/**
 * /filters: the visitor's filters, and the form for a new one; /filters/:id: one of them. And their forms: POST
 * /web/filters, /web/filters/:id and /web/filters/:id/remove.
 */
import { filtersOf, findFilter, type StoredFilter } from '../../../actors/account/filters/filters.queries.ts';
import { filterLimits } from '../../../actors/account/filters/limits.ts';
import { changeFilter } from '../../../operations/filters/change-filter.ts';
import { removeFilter } from '../../../operations/filters/remove-filter.ts';
import { Failure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { type Html, html } from '../../../services/words/html.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { type Answer, redirect } from '../../http/answers.ts';
import { queryFields } from '../../oauth/forms.ts';
import type { RawRoute } from '../../route.ts';
import { memberPage, pageRoute } from '../page-handler.ts';
import { siteAnswer } from '../parts/frame.ts';
import { fullTime } from '../parts/time.ts';
import { type Refused, refusedDraft } from '../refused.ts';
import { formRoute } from '../signed-in-form.ts';
import { idInPath, type MemberVisit } from '../visit.ts';
import { changesIn, draftIn, draftOf, type FilterDraft, filterForm, newFilter } from './filter-form.ts';

const filtersPage = memberPage((visit, { request }) => filtersAnswer(visit, queryFields(request.query).get('done')));

function doneLine({ words: { lists } }: MemberVisit, done = ''): Html | undefined {
  if (done !== 'made' && done !== 'changed' && done !== 'removed') return undefined;
  return html`<p class="card done" role="status">${lists.filters[done]}</p>`;
}

function filtersAnswer(visit: MemberVisit, done?: string, refused?: Refused<FilterDraft>): Answer {
  const filters = filtersOf(visit.services.snapshots, visit.account.id);
  const words = visit.words.lists.filters;
  const isFull = filters.length >= filterLimits.filtersMax;
  const form = { path: '/web/filters', title: words.newFilter, button: words.make };
  const main = html`<h1 class="list">${words.title}</h1>
${doneLine(visit, done)}
${filters.length > 0 && html`<ul class="timeline lists" aria-label="${words.yours}">${filters.map((filter) => filterEntry(visit, filter))}</ul>`}
${filters.length === 0 && html`<div class="empty"><h2>${words.none}</h2><p>${words.noneHint}</p></div>`}
${isFull && html`<p class="fine">${words.full({ limit: filterLimits.filtersMax })}</p>`}
${(!isFull || refused !== undefined) && filterForm(visit, form, refused?.draft ?? newFilter, refused)}`;
  const status = refused === undefined ? 200 : 422;
  return siteAnswer(visit, { title: words.title, main, status, current: 'settings', isIndexed: false });
}

function filterEntry(visit: MemberVisit, { id, title, keywords, statuses, expiresAt }: StoredFilter): Html {
  const words = visit.words.lists.filters;
  const posts = statuses.length > 0 && html` · ${words.posts({ count: statuses.length })}`;
  const end = (at: number) => (at <= visit.now ? words.over : words.until({ time: fullTime(visit, at) }));
  const expiry = expiresAt !== undefined && html` · ${end(expiresAt)}`;
  return html`<li class="entry"><a href="/filters/${id}"><bdi>${title}</bdi></a> <span class="fine">${words.words({ count: keywords.length })}${posts}${expiry}</span></li>`;
}

const filterPage = memberPage((visit, context) =>
  filterAnswer(visit, ownFilter(visit, idInPath(context)), queryFields(context.request.query).get('done')),
);

function filterAnswer(visit: MemberVisit, filter: StoredFilter, done?: string, refused?: Refused<FilterDraft>): Answer {
  const path = `/web/filters/${filter.id}`;
  const words = visit.words.lists.filters;
  const main = html`<p class="list"><a href="/filters">${words.title}</a></p>
<h1 class="list"><bdi>${filter.title}</bdi></h1>
${doneLine(visit, done)}
${filterForm(visit, { path, title: words.thisFilter, button: words.save }, refused?.draft ?? draftOf(filter), refused)}
<section class="card plain settings"><h2>${words.remove}</h2>
<details class="confirm"><summary class="button quiet">${words.removeMore}</summary><p>${words.removeQuestion({ title: html`<bdi><strong>${filter.title}</strong></bdi>` })}</p>
<button class="danger" form="acts" formaction="${path}/remove">${words.remove}</button></details></section>`;
  const status = refused === undefined ? 200 : 422;
  return siteAnswer(visit, { title: filter.title, main, status, current: 'settings', isIndexed: false });
}

/** Throws Failure notFound. */
function ownFilter({ services, account }: MemberVisit, filterId: Id): StoredFilter {
  const filter = findFilter(services.snapshots, account.id, filterId);
  if (filter === undefined) throw new Failure('notFound');
  return filter;
}

const createFilterForm = formRoute('/web/filters', async (form) => {
  const draft = draftIn(form.fields);
  try {
    await changeFilter(form, changesIn(draft));
    return redirect('/filters?done=made', 303);
  } catch (error) {
    return filtersAnswer(form.visit, undefined, refusedDraft(form.visit.words, draft, error));
  }
});

const changeFilterForm = formRoute('/web/filters/:id', async (form, context) => {
  const filter = ownFilter(form.visit, idInPath(context));
  const draft = draftIn(form.fields);
  try {
    await changeFilter(form, { filterId: filter.id, ...changesIn(draft) });
    return redirect(`/filters/${filter.id}?done=changed`, 303);
  } catch (error) {
    return filterAnswer(form.visit, filter, undefined, refusedDraft(form.visit.words, draft, error));
  }
});

const removeFilterForm = formRoute('/web/filters/:id/remove', async (form, context) => {
  await removeFilter(form, { filterId: idInPath(context) });
  return redirect('/filters?done=removed', 303);
});

export const filterRoutes: readonly RawRoute<GatewayServices>[] = [
  pageRoute('/filters', filtersPage),
  pageRoute('/filters/:id', filterPage),
  createFilterForm,
  changeFilterForm,
  removeFilterForm,
];
