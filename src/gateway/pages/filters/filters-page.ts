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
import type { GatewayServices } from '../../gateway-services.ts';
import { type Answer, redirect } from '../../http/answers.ts';
import { queryFields } from '../../oauth/forms.ts';
import type { RawRoute } from '../../route.ts';
import { memberPage, pageRoute } from '../page-handler.ts';
import { siteAnswer } from '../parts/frame.ts';
import { type Html, html } from '../parts/html.ts';
import { fullTime } from '../parts/time.ts';
import { type Refused, refusedDraft } from '../refused.ts';
import { formRoute } from '../signed-in-form.ts';
import { idInPath, type MemberVisit } from '../visit.ts';
import { changesIn, draftIn, draftOf, type FilterDraft, filterForm, newFilter } from './filter-form.ts';

const doneWords: Readonly<Record<string, string>> = {
  made: 'The filter is made.',
  changed: 'The filter is changed.',
  removed: 'The filter is removed.',
};

const filtersPage = memberPage((visit, { request }) => filtersAnswer(visit, queryFields(request.query).get('done')));

function doneLine(done = ''): Html | undefined {
  if (!Object.hasOwn(doneWords, done)) return undefined;
  return html`<p class="card done" role="status">${doneWords[done]}</p>`;
}

function filtersAnswer(visit: MemberVisit, done?: string, refused?: Refused<FilterDraft>): Answer {
  const filters = filtersOf(visit.services.snapshots, visit.account.id);
  const isFull = filters.length >= filterLimits.filtersMax;
  const form = { path: '/web/filters', title: 'A new filter', button: 'Make the filter' };
  const main = html`<h1 class="list">Filters</h1>
${doneLine(done)}
${filters.length > 0 && html`<ul class="timeline lists" aria-label="Your filters">${filters.map((filter) => filterEntry(visit, filter))}</ul>`}
${filters.length === 0 && html`<div class="empty"><h2>No filters yet</h2><p>A filter covers posts that have certain words, or leaves them out. Nobody else learns of it.</p></div>`}
${isFull && html`<p class="fine">You have ${filterLimits.filtersMax} filters, and cannot have more.</p>`}
${(!isFull || refused !== undefined) && filterForm(visit, form, refused?.draft ?? newFilter, refused)}`;
  const status = refused === undefined ? 200 : 422;
  return siteAnswer(visit, { title: 'Filters', main, status, current: 'settings', isIndexed: false });
}

function filterEntry({ now }: MemberVisit, { id, title, keywords, statuses, expiresAt }: StoredFilter): Html {
  const parts = [counted(keywords.length, 'word'), ...(statuses.length > 0 ? [counted(statuses.length, 'post')] : [])];
  const expiry = expiresAt !== undefined && (expiresAt <= now ? html` · over` : html` · until ${fullTime(expiresAt)}`);
  return html`<li class="entry"><a href="/filters/${id}"><bdi>${title}</bdi></a> <span class="fine">${parts.join(', ')}${expiry}</span></li>`;
}

function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}

const filterPage = memberPage((visit, context) =>
  filterAnswer(visit, ownFilter(visit, idInPath(context)), queryFields(context.request.query).get('done')),
);

function filterAnswer(visit: MemberVisit, filter: StoredFilter, done?: string, refused?: Refused<FilterDraft>): Answer {
  const path = `/web/filters/${filter.id}`;
  const main = html`<p class="list"><a href="/filters">Filters</a></p>
<h1 class="list"><bdi>${filter.title}</bdi></h1>
${doneLine(done)}
${filterForm(visit, { path, title: 'This filter', button: 'Save the filter' }, refused?.draft ?? draftOf(filter), refused)}
<section class="card plain settings"><h2>Remove this filter</h2>
<details class="confirm"><summary class="button quiet">Remove it …</summary><p>The filter <bdi><strong>${filter.title}</strong></bdi> will be gone.</p>
<button class="danger" form="acts" formaction="${path}/remove">Remove this filter</button></details></section>`;
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
    return filtersAnswer(form.visit, undefined, refusedDraft(draft, error));
  }
});

const changeFilterForm = formRoute('/web/filters/:id', async (form, context) => {
  const filter = ownFilter(form.visit, idInPath(context));
  const draft = draftIn(form.fields);
  try {
    await changeFilter(form, { filterId: filter.id, ...changesIn(draft) });
    return redirect(`/filters/${filter.id}?done=changed`, 303);
  } catch (error) {
    return filterAnswer(form.visit, filter, undefined, refusedDraft(draft, error));
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
