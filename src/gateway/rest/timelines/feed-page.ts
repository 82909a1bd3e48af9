/**
 * Shared by the home timeline and those of lists: a page of a feed as its reader is shown it. Behind a page of which
 * nothing is shown, more entries are read at a time than one page has: an account that was just muted may have filled
 * the whole feed.
 */
import { readingLimits } from '../../../actors/limits.ts';
import { type Page, type PageBounds, readsUpwards } from '../../../actors/pages.ts';
import type { HomePage } from '../../../services/feeds.ts';
import type { EncodableStatus } from '../../entities/encoded-status.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import type { Answer } from '../../http/answers.ts';
import type { UserContext } from '../../http/context.ts';
import { boundsOf, type PageParameters } from '../accounts/answers.ts';
import { answerFilledPage } from '../filled-page.ts';

export function answerFeed(
  context: UserContext<GatewayServices>,
  given: PageParameters,
  read: (bounds: PageBounds) => HomePage | Promise<HomePage>,
  answer: (page: Page<EncodableStatus>) => Answer,
): Answer | Promise<Answer> {
  const first = boundsOf(given);
  return answerFilledPage(
    first,
    (bounds) => {
      const some =
        bounds === first ? first : { ...bounds, limit: Math.max(given.limit, readingLimits.feedEntriesPerReading) };
      const feed = read(some);
      return feed instanceof Promise
        ? feed.then((entries) => shownPage(context, entries, some, given.limit))
        : shownPage(context, feed, some, given.limit);
    },
    answer,
  );
}

/** At most `countMax` of the entries that were read within the bounds. A promise where many statuses have to be read. */
function shownPage(
  { services, grant, request }: UserContext<GatewayServices>,
  { ids }: Pick<HomePage, 'ids'>,
  bounds: PageBounds,
  countMax: number,
): Page<EncodableStatus> | Promise<Page<EncodableStatus>> {
  const page = { newest: ids[0], oldest: ids.at(-1), full: ids.length === bounds.limit };
  const { presenter, slices } = services;
  const items =
    presenter.cachedPage(ids, grant.accountId, 'home') ??
    slices.run(presenter.pageInSlices(ids, grant.accountId, 'home'), request);
  const cut = (shown: EncodableStatus[]) => cutPage({ ...page, items: shown }, readsUpwards(bounds), countMax);
  return items instanceof Promise ? items.then(cut) : cut(items);
}

/** What is left out is behind the cursor of the page. */
function cutPage(page: Page<EncodableStatus>, upwards: boolean, countMax: number): Page<EncodableStatus> {
  if (page.items.length <= countMax) return page;
  const items = upwards ? page.items.slice(-countMax) : page.items.slice(0, countMax);
  const last = (upwards ? items[0] : items.at(-1))?.status.id;
  return upwards ? { ...page, items, newest: last, full: true } : { ...page, items, oldest: last, full: true };
}
