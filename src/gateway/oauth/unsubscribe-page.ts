/**
 * /unsubscribe: where the link leads that switches a kind of mail off. A page with a button for people; programs of mail
 * send the same POST without it (RFC 8058). It works without a session, and needs no token of a form: who has the link
 * may do it, and nothing else.
 */
import { unsubscribe, unsubscribeTokenOf } from '../../operations/mail/change-mail-settings.ts';
import type { Services } from '../../services/services.ts';
import type { RawContext } from '../http/context.ts';
import { html, pageAnswer } from '../pages/page.ts';
import { wordsFor } from '../pages/words-for.ts';
import { rawRoute } from '../route.ts';
import { failedPage, queryFields } from './forms.ts';
import { oauthLimits } from './limits.ts';
import { visitorContext } from './own-form.ts';

const path = '/unsubscribe';

export const unsubscribePage = rawRoute<Services>({
  method: 'GET',
  path,
  failed: failedPage,
  async handler(context) {
    const { request, services } = context;
    const token = tokenOf(context);
    const { topic } = await unsubscribeTokenOf(services, token);
    const words = wordsFor(services, request, undefined);
    const { unsubscribe: said, topics } = words.settings.mails;
    const body = html`<p>${said.question({ kind: topics[topic] })}</p>
<form method="post" action="${path}?${new URLSearchParams({ token }).toString()}">
<button type="submit">${said.confirm}</button>
</form>`;
    return pageAnswer({ words, title: said.title, body });
  },
});

export const postUnsubscribe = rawRoute<Services>({
  method: 'POST',
  path,
  bodyBytesMax: oauthLimits.formBytesMax,
  failed: failedPage,
  /** The body says `List-Unsubscribe=One-Click`, or nothing: the address says everything. */
  async handler(context) {
    const { topic } = await unsubscribe(visitorContext(context), { token: tokenOf(context) });
    const words = wordsFor(context.services, context.request, undefined);
    const { unsubscribe: said, topics, title } = words.settings.mails;
    const body = html`<p>${said.done({ kind: topics[topic] })}</p>
<p><a href="/settings/mails">${title}</a></p>`;
    return pageAnswer({ words, title: said.title, body });
  },
});

function tokenOf({ request }: RawContext<Services>): string {
  return queryFields(request.query).get('token') ?? '';
}
