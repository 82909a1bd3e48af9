/** The answer with a page of the home timeline or of that of a list: 206 while it is incomplete (specification 4.3). */
import { type FeedPage, feedPage, readerFeed } from '../../../operations/timelines/feed-page.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { EncodableStatus } from '../../entities/encodable-status.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { type Answer, bytes, jsonContentType } from '../../http/answers.ts';
import type { UserContext } from '../../http/context.ts';
import { pageHeaders } from '../../http/pagination.ts';
import { boundsOf, type PageParameters } from '../accounts/answers.ts';
import { lasting } from '../filled-page.ts';

/** The home of the user, or a list. Throws Failure notFound for somebody else's list. */
export function answerFeed(
  { services, grant: { accountId }, request }: UserContext<GatewayServices>,
  given: PageParameters,
  listId?: Id,
): Answer | Promise<Answer> {
  const { presenter, slices, answers } = services;
  const page = feedPage<EncodableStatus>(boundsOf(given), {
    ...readerFeed(services, { accountId, listId }),
    show: (ids) =>
      presenter.cachedPage(ids, accountId, 'home') ??
      slices.run(presenter.pageInSlices(ids, accountId, 'home'), request),
  });
  const answer = (shown: FeedPage<EncodableStatus>) =>
    bytes(answers.list(shown.items), {
      contentType: jsonContentType,
      status: shown.complete ? 200 : 206,
      headers: pageHeaders(request, shown, given.limit, 'min_id'),
    });
  return page instanceof Promise ? page.then((shown) => lasting(answer(shown))) : answer(page);
}
