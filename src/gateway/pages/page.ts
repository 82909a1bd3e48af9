/**
 * The narrow page for signing in, signing up and authorizing: a title and a form, without a script and without the
 * frame of the site, so that it is the same for every visitor. Other pages use parts/frame.ts.
 *
 * In src/gateway/pages: one file per page, in folders by subject; shared parts in parts/, static files in assets/.
 * visit.ts is the request from the pages' view, actions.ts handles buttons, live/ sends new posts to open pages.
 */
import type { Answer, AnswerHeaders } from '../http/answers.ts';
import { iconAddress } from './assets.ts';
import { documentOf, htmlAnswer, narrowHeaders } from './parts/document.ts';
import { Html, type HtmlPart, html } from './parts/html.ts';

export { Html, type HtmlPart, html };

export interface PageContent {
  readonly title: string;
  readonly body: Html;
}

/** A whole document. */
export function page({ title, body }: PageContent): string {
  return documentOf({
    title,
    body: html`<body class="narrow">
<a class="mark" href="/" aria-label="Home"><img src="${iconAddress}" alt="" width="48" height="48"></a>
<main class="card">
<h1>${title}</h1>
${body}
</main>
</body>`,
  });
}

export function pageAnswer(content: PageContent, options: { status?: number; headers?: AnswerHeaders } = {}): Answer {
  return htmlAnswer(page(content), options.status ?? 200, { ...narrowHeaders, ...options.headers });
}
