/** /admin/trends: hashtags, links, posts and publishers that trend or might, and hashtags that never may. */
import type { ReviewedKind } from '../../../actors/instance/trends/trend-reviews.records.ts';
import { reviewedKinds } from '../../../actors/instance/trends/trend-reviews.records.ts';
import type { DayOfUse } from '../../../actors/uses.queries.ts';
import {
  listDisallowedHashtags,
  setHashtagDisallowed,
} from '../../../operations/administration/disallowed-hashtags.ts';
import {
  candidateLinks,
  candidateStatuses,
  candidateTags,
  listPublishers,
  reviewTrend,
} from '../../../operations/trends/review-trends.ts';
import type { Trendability } from '../../../operations/trends/reviews.ts';
import { Failure } from '../../../runtime/errors.ts';
import { type Html, html } from '../../../services/words/html.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { redirect } from '../../http/answers.ts';
import { hidden, queryFields } from '../../oauth/forms.ts';
import type { RawRoute } from '../../route.ts';
import { webLimits } from '../limits.ts';
import { pageRoute } from '../page-handler.ts';
import { byline } from '../parts/account.ts';
import { elsewhere, statusPath } from '../parts/links.ts';
import { contentOf } from '../parts/status.ts';
import { tabs } from '../parts/tabs.ts';
import { timeAgo } from '../parts/time.ts';
import { listedRoutes } from './lists/listed-page.ts';
import { textField } from './lists/text-field.ts';
import { actButton, formHead, listOf, perform } from './parts.ts';
import { doneOf, staffAnswer } from './staff-frame.ts';
import { staffForm, staffPage } from './staff-visit.ts';
import type { StaffVisit } from './visitor.ts';

const pages = ['tags', 'links', 'statuses', 'publishers'] as const;
type PageName = (typeof pages)[number];
/** Of the buttons. */
const decisions = ['allow', 'refuse'] as const;

const addressOf = (page: PageName | 'hashtags') => (page === 'tags' ? '/admin/trends' : `/admin/trends/${page}`);

function tabsOf({ words: { keeping } }: StaffVisit, current: PageName | 'hashtags'): Html {
  return tabs(
    keeping.trends.title,
    ([...pages, 'hashtags'] as const).map((page) => ({
      words: keeping.trends.kinds[page],
      path: addressOf(page),
      isCurrent: page === current,
    })),
  );
}

interface Reviewed extends Omit<Trendability, 'isTrendable'> {
  readonly isTrendable: boolean | undefined;
}

/** What was decided, and the buttons to decide otherwise. */
function review(visit: StaffVisit, page: PageName, kind: ReviewedKind, name: string, state: Reviewed): Html {
  const words = visit.words.keeping.trends;
  const { isTrendable, requiresReview } = state;
  const mark =
    isTrendable === undefined || requiresReview ? words.unreviewed : isTrendable ? words.allowed : words.refused;
  const button = (decision: (typeof decisions)[number], label: string) =>
    html`<button class="quiet" name="decision" value="${decision}">${label}</button>`;
  return html`<form class="line row" method="post" action="/web/admin/trends/${page}">${formHead(visit)}${hidden('kind', kind)}${hidden('name', name)}
<span class="badge">${mark}</span> ${(isTrendable !== true || requiresReview) && button('allow', words.allow)}${(isTrendable !== false || requiresReview) && button('refuse', words.refuse)}</form>`;
}

function useOf({ words }: StaffVisit, history: readonly DayOfUse[]): string {
  const count = history.slice(0, 2).reduce((sum, { accounts }) => sum + accounts, 0);
  return words.site.explore.use({ count });
}

interface Asked {
  readonly offset: number;
  readonly limit: number;
}

const rowsOf: Readonly<Record<PageName, (visit: StaffVisit, asked: Asked) => Promise<Html[]>>> = {
  async tags(visit, asked) {
    return (await candidateTags(visit, asked)).map(
      (
        tag,
      ) => html`<p class="line row"><a class="what" href="/tags/${encodeURIComponent(tag.name)}"><bdi>#${tag.name}</bdi></a> <span class="fine">${useOf(visit, tag.history)}</span></p>
${review(visit, 'tags', 'tag', tag.name, tag)}`,
    );
  },
  async links(visit, asked) {
    return (await candidateLinks(visit, asked)).map(
      (
        link,
      ) => html`<p><a class="what" href="${elsewhere(link.card.url) ?? '#'}" rel="noopener noreferrer" target="_blank" dir="auto">${link.card.title}</a></p>
<p class="fine"><bdi>${link.card.url}</bdi> · ${useOf(visit, link.history)}</p>
${review(visit, 'links', 'link', link.card.url, link)}`,
    );
  },
  async statuses(visit, asked) {
    return (await candidateStatuses(visit, asked)).flatMap((candidate) => {
      const view = visit.services.presenter.view(candidate.id, visit.account.id, 'report');
      if (view === undefined) return [];
      return html`<article class="status"><header>${byline(visit, view.author.profile)}<span class="when"><a class="what" href="${statusPath(visit, view)}">${timeAgo(visit, view.status.createdAt)}</a></span></header>
${contentOf(visit, view, candidate.id)}</article>
${review(visit, 'statuses', 'status', candidate.id.toString(), candidate)}`;
    });
  },
  async publishers(visit, { offset, limit }) {
    const all = await listPublishers(visit, {});
    return all.slice(offset, offset + limit).map(
      ({ domain, isTrendable, reviewedAt }) => html`<p><span class="what"><bdi>${domain}</bdi></span></p>
${review(visit, 'publishers', 'publisher', domain, { isTrendable, requiresReview: reviewedAt === undefined })}`,
    );
  },
};

function trendsPage(page: PageName) {
  return staffPage('manageTaxonomies', async (visit, { request }) => {
    const words = visit.words.keeping.trends;
    const given = Number(queryFields(request.query).get('offset') ?? 0);
    const offset = Number.isSafeInteger(given) && given > 0 ? given : 0;
    const limit = webLimits.pagePeople;
    const rows = await rowsOf[page](visit, { offset, limit: limit + 1 });
    const main = html`${tabsOf(visit, page)}
<p class="list fine">${words.hint}</p>
${listOf(visit, words.kinds[page], rows.slice(0, limit), words.none)}
${rows.length > limit && html`<nav class="paging"><a rel="next" href="?offset=${offset + limit}">${visit.words.staff.older}</a></nav>`}`;
    return staffAnswer(visit, { section: 'trends', title: words.kinds[page], main, done: doneOf(visit, request) });
  });
}

function reviewForm(page: PageName): RawRoute<GatewayServices> {
  return staffForm(`/web/admin/trends/${page}`, 'manageTaxonomies', async ({ visit, fields }) => {
    const kind = (Object.keys(reviewedKinds) as ReviewedKind[]).find((one) => one === fields.get('kind'));
    const name = fields.get('name');
    const decision = decisions.find((one) => one === fields.get('decision'));
    if (kind === undefined || name === undefined || decision === undefined) throw new Failure('badRequest');
    await reviewTrend(visit, { kind, name, isTrendable: decision === 'allow' });
    return redirect(`${addressOf(page)}?done=reviewed`, 303);
  });
}

const hashtags = listedRoutes({
  section: 'trends',
  address: '/admin/trends/hashtags',
  tabs: (visit) => tabsOf(visit, 'hashtags'),
  words: ({ keeping }) => keeping.hashtags,
  list: (visit) => ({ items: listDisallowedHashtags(visit, {}) }),
  row: ({ words: { keeping } }, name: string) =>
    html`<div class="line row"><span class="what"><bdi>#${name}</bdi></span>${actButton(`/web/admin/trends/hashtags/${encodeURIComponent(name)}/remove`, keeping.hashtags.remove)}</div>`,
  empty: { hashtag: '' },
  fields: ({ words: { keeping } }, { hashtag }) =>
    textField({ name: 'hashtag', label: keeping.hashtags.hashtag, value: hashtag, isRequired: true }),
  draftIn: (fields) => ({ hashtag: fields.get('hashtag') ?? '' }),
  add: (form, { hashtag }) => perform(form, setHashtagDisallowed, { hashtag, isDisallowed: true }),
  added: 'hashtagAdded',
  removal: {
    remove: ({ visit }, hashtag) => setHashtagDisallowed(visit, { hashtag, isDisallowed: false }),
    removed: 'hashtagRemoved',
  },
});

export const trendRoutes: readonly RawRoute<GatewayServices>[] = [
  ...pages.map((page) => pageRoute(addressOf(page), trendsPage(page))),
  ...pages.map(reviewForm),
  ...hashtags,
];
