/** /@NAME/ID/embed: a public post alone, for frames in other web pages (GET /api/oembed refers to it). */
import { Failure } from '../../runtime/errors.ts';
import { parseId } from '../../runtime/ids.ts';
import { html } from '../../services/words/html.ts';
import type { GatewayServices } from '../gateway-services.ts';
import type { Answer } from '../http/answers.ts';
import type { RawContext } from '../http/context.ts';
import { shownStatus } from './filtered.ts';
import { plainName } from './parts/account.ts';
import { documentOf, embedHeaders, htmlAnswer } from './parts/document.ts';
import { article } from './parts/status.ts';
import { accountOfPage } from './profile-page.ts';
import { anonymousVisit, visitWithoutForms } from './visit.ts';

/** Throws Failure notFound for posts that are not public or unlisted, and for remote posts. */
export async function embedPage(context: RawContext<GatewayServices>): Promise<Answer> {
  const { services, pathParameters } = context;
  // Rendered as for an anonymous visitor: the surrounding page belongs to somebody else.
  const visit = anonymousVisit(visitWithoutForms(context));
  const { profile } = accountOfPage(services, pathParameters.name ?? '');
  const id = parseId(pathParameters.id ?? '');
  const view = id === undefined ? undefined : shownStatus(visit, id, 'single');
  const isOurs = profile.remote === undefined && view?.status.accountId === profile.id && view.reblog === undefined;
  if (view === undefined || !isOurs) throw new Failure('notFound');
  const title = visit.words.posts.by({ name: plainName(profile) });
  const document = documentOf({
    language: visit.words.language,
    title,
    head: html`<base target="_blank">`,
    body: html`<body class="embedded"><main class="card plain"><h1 class="unseen">${title}</h1>${article(visit, view, view.status.id)}</main></body>`,
  });
  return htmlAnswer(document, 200, embedHeaders(services));
}
