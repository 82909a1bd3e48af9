/**
 * The narrow page for signing in, signing up and authorizing: a title and a form, without the
 * frame of the site, so that it is the same for every visitor. Other pages use parts/frame.ts.
 *
 * In src/gateway/pages: one file per page, in folders by subject; shared parts in parts/, static files in assets/.
 * visit.ts is the request from the pages' view, actions.ts handles buttons, live/ sends new posts to open pages.
 */

import { Html, type HtmlPart, html } from '../../services/words/html.ts';
import type { Words } from '../../services/words/languages.ts';
import type { Answer, AnswerHeaders } from '../http/answers.ts';
import { iconAddress } from './assets.ts';
import { documentOf, htmlAnswer, narrowHeaders, passkeyHeaders } from './parts/document.ts';
import { passkeyScript } from './parts/passkeys.ts';

export { Html, type HtmlPart, html };

export interface PageContent {
  readonly words: Words;
  readonly title: string;
  readonly body: Html;
  /** Whether it asks for passkeys. */
  readonly hasPasskeys?: boolean;
}

/** A whole document. */
export function page({ words, title, body, hasPasskeys = false }: PageContent): string {
  return documentOf({
    language: words.language,
    title,
    head: hasPasskeys ? passkeyScript : undefined,
    body: html`<body class="narrow">
<header><a class="mark" href="/" aria-label="${words.site.home}"><img src="${iconAddress}" alt="" width="48" height="48"></a></header>
<main class="card">
<h1>${title}</h1>
${body}
</main>
</body>`,
  });
}

export function pageAnswer(content: PageContent, options: { status?: number; headers?: AnswerHeaders } = {}): Answer {
  return htmlAnswer(page(content), options.status ?? 200, {
    ...(content.hasPasskeys === true ? passkeyHeaders : narrowHeaders),
    ...options.headers,
  });
}
