/**
 * GET /web/live: new entries for an open list, as server-sent events whose data is the markup of the entry, rendered by
 * the same code as the page, so that the page's script builds no HTML; and the number of unread notifications.
 *
 * Why not the streaming API with a token: a token in a page can be stolen by any script in it, is part of an
 * EventSource's address and so of logs, does not end with the session, and counts against the account's applications.
 * Here the browser's cookie is used, as for every page: scripts cannot read it; other sites can neither send it
 * (SameSite) nor read the answer (no CORS headers); Sec-Fetch-Site is checked in addition.
 */
import { lacksTwoFactor } from '../../../operations/two-factor/required.ts';
import { Failure } from '../../../runtime/errors.ts';
import { parseId } from '../../../runtime/ids.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { stream } from '../../http/answers.ts';
import { browserOf } from '../../oauth/browser.ts';
import { queryFields } from '../../oauth/forms.ts';
import { type RawRoute, rawRoute } from '../../route.ts';
import { foundFor } from '../../streaming/channels.ts';
import type { StreamHub } from '../../streaming/hub.ts';
import { accountChannel, liveListOf } from './live-lists.ts';
import { LivePage } from './live-page.ts';
import { PageNews } from './page-news.ts';

/** A function, because the hub is created after the declaration. */
export function liveRoute(hubOf: () => StreamHub): RawRoute<GatewayServices> {
  let news: PageNews | undefined;
  return rawRoute<GatewayServices>({
    method: 'GET',
    path: '/web/live',
    handler({ request, services, cause }) {
      const site = request.header('sec-fetch-site');
      if (site !== undefined && site !== 'same-origin') throw new Failure('forbidden');
      const { account } = browserOf(services, request);
      if (account === undefined) throw new Failure('tokenRequired');
      if (lacksTwoFactor(services, account)) throw new Failure('twoFactorRequired');
      const fields = queryFields(request.query);
      const list = liveListOf(fields.get('list'), fields.get('of'));
      if (list === undefined || foundFor(list.channel ?? accountChannel, account.id, services) === undefined)
        throw new Failure('notFound');
      const since = parseId(request.header('last-event-id') ?? fields.get('since') ?? '') ?? 0n;
      news ??= new PageNews(services.events);
      const page = { list, news, accountId: account.id, cause, since, unread: fields.get('unread') };
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
