/**
 * POST /web/statuses/:id/translate: the post in the reader's language, as a piece for the script of the page, or as a page.
 * POST /web/statuses/:id/original: the piece as it was.
 */
import { translateStatus } from '../../operations/translation/translate-status.ts';
import { Failure } from '../../runtime/errors.ts';
import { parseId } from '../../runtime/ids.ts';
import { html } from '../../services/words/html.ts';
import { queryFields } from '../oauth/forms.ts';
import { shownStatus } from './filtered.ts';
import { fragmentHeaders, htmlAnswer } from './parts/document.ts';
import { siteAnswer } from './parts/frame.ts';
import { pathOfStatus } from './parts/links.ts';
import { article } from './parts/status.ts';
import { readLanguage } from './parts/translation.ts';
import { formRoute } from './signed-in-form.ts';
import { idInPath } from './visit.ts';

export const translateForm = formRoute('/web/statuses/:id/translate', async (form, context) => {
  const { visit, fields } = form;
  const id = idInPath(context);
  const translation = await translateStatus(form, { statusId: id, language: readLanguage(visit) });
  const view = shownStatus(visit, id, 'single');
  if (view === undefined || view.reblog !== undefined) throw new Failure('notFound');
  const words = visit.words.posts;
  const place = parseId(queryFields(context.request.query).get('at') ?? '') ?? id;
  if (fields.get('answer') === 'fragment') {
    const original = html`<button class="link" form="acts" formaction="/web/statuses/${id}/original?at=${place}" data-changes>${words.showOriginal}</button>`;
    return htmlAnswer(article(visit, view, place, { translation, original }).markup, 200, fragmentHeaders);
  }
  const original = html`<a href="${pathOfStatus(view.author.profile, id)}">${words.showOriginal}</a>`;
  const main = html`<h1 class="list">${words.translation}</h1>
<ol class="timeline"><li class="entry">${article(visit, view, place, { translation, original })}</li></ol>`;
  return siteAnswer(visit, { title: words.translation, main, isIndexed: false });
});
