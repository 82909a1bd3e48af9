/**
 * GET /web/live: new entries for a list that is open, as server-sent events whose data is the markup of the entry, made
 * by the same code as the page, so that the page's script builds no HTML; and how many notifications are unread.
 *
 * Why this is not the streaming API with a token: a token in a page can be stolen by whatever runs in it, stands in the
 * address of an EventSource and so in logs, does not end with the session, and takes one of the places that the account
 * has for its applications. Here the browser's own cookie is asked, as for every page: no script can read it; other sites
 * can neither send it along (SameSite) nor read the answer (no CORS headers); Sec-Fetch-Site is checked besides.
 */
import { Failure } from '../../runtime/errors.ts';
import { parseId } from '../../runtime/ids.ts';
import type { GatewayServices } from '../gateway-services.ts';
import { stream } from '../http/answers.ts';
import { browserOf } from '../oauth/browser.ts';
import { queryFields } from '../oauth/forms.ts';
import { type RawRoute, rawRoute } from '../route.ts';
import { isOpenTo } from '../streaming/channels.ts';
import type { StreamHub } from '../streaming/hub.ts';
import { accountChannel, liveListOf } from './live-lists.ts';
import { LivePage } from './live-page.ts';
import { PageNews } from './page-news.ts';

/** The hub comes later than the declaration, so it is asked for. */
export function liveRoute(hubOf: () => StreamHub): RawRoute<GatewayServices> {
  let news: PageNews | undefined;
  return rawRoute<GatewayServices>({
    method: 'GET',
    path: '/web/live',
    handler({ request, services }) {
      const site = request.header('sec-fetch-site');
      if (site !== undefined && site !== 'same-origin') throw new Failure('forbidden');
      const { account } = browserOf(services, request);
      if (account === undefined) throw new Failure('tokenRequired');
      const fields = queryFields(request.query);
      const list = liveListOf(fields.get('list'), fields.get('of'));
      if (list === undefined || !isOpenTo(list.channel ?? accountChannel, account.id, services.snapshots))
        throw new Failure('notFound');
      const since = parseId(request.header('last-event-id') ?? fields.get('since') ?? '') ?? 0n;
      news ??= new PageNews(services.events);
      const page = { list, news, accountId: account.id, since, unread: fields.get('unread') };
      const hub = hubOf();
      const address = hub.admit(account.id, request.ip);
      return stream({
        contentType: 'text/event-stream',
        headers: { 'Cache-Control': 'private, no-store', 'X-Accel-Buffering': 'no' },
        open: (sink) => new LivePage(services, request, sink, { ...page, address }).open(hub),
      });
    },
  });
}
