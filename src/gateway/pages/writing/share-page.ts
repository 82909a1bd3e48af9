/** GET /share: where buttons to share lead, with `title`, `text` and `url` (behaviour of Mastodon's web interface). */

import { html } from '../../../services/words/html.ts';
import { queryFields } from '../../oauth/forms.ts';
import { memberPage } from '../page-handler.ts';
import { composeForm } from '../parts/compose.ts';
import { siteAnswer } from '../parts/frame.ts';

export const sharePage = memberPage((visit, { request }) => {
  const shared = queryFields(request.query);
  const given = ['title', 'text', 'url'].map((name) => shared.get(name)?.trim() ?? '');
  const text = given.filter((part) => part !== '').join(' ');
  const { share: title } = visit.words.writing;
  const main = html`<h1 class="list">${title}</h1>
${composeForm(visit, { text, visibility: visit.account.login.defaultPrivacy, returnTo: '/' })}`;
  return siteAnswer(visit, { title, main, isIndexed: false });
});
