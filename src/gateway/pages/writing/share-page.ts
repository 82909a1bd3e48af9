/** GET /share: where buttons to share lead, with `title`, `text` and `url` (behaviour of Mastodon's web interface). */
import { queryFields } from '../../oauth/forms.ts';
import { memberPage } from '../page-handler.ts';
import { composeForm } from '../parts/compose.ts';
import { siteAnswer } from '../parts/frame.ts';
import { html } from '../parts/html.ts';

export const sharePage = memberPage((visit, { request }) => {
  const shared = queryFields(request.query);
  const words = ['title', 'text', 'url'].map((name) => shared.get(name)?.trim() ?? '');
  const text = words.filter((part) => part !== '').join(' ');
  const main = html`<h1 class="list">Share</h1>
${composeForm(visit, { text, visibility: visit.account.login.defaultPrivacy, returnTo: '/' })}`;
  return siteAnswer(visit, { title: 'Share', main, isIndexed: false });
});
