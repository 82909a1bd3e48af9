/**
 * The frame of every page for browsers, and HTML from templates: what stands between the braces of an `html` template is
 * escaped, unless it came from such a template itself.
 */
import { escapeHtml } from '../../actors/text/escape.ts';
import { type Answer, type AnswerHeaders, bytes, htmlContentType } from '../http/answers.ts';

/** Markup that is safe to send. Only `html` makes it. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

/** Lists are joined; nothing is shown for `undefined` and `false`. */
export type HtmlPart = Html | string | number | bigint | false | undefined | readonly HtmlPart[];

export function html(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  let markup = strings[0]!;
  for (let index = 0; index < parts.length; index += 1) markup += markupOf(parts[index]) + strings[index + 1]!;
  return new Html(markup);
}

function markupOf(part: HtmlPart): string {
  if (part === undefined || part === false) return '';
  if (part instanceof Html) return part.markup;
  if (typeof part === 'object') return part.map(markupOf).join('');
  return escapeHtml(String(part));
}

const style = new Html(`
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { max-width: 26rem; margin: 4rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; }
label { display: block; margin: .75rem 0; }
input:not([type=checkbox]), textarea { display: block; box-sizing: border-box; width: 100%; padding: .5rem; font: inherit; }
button { padding: .5rem 1rem; margin-right: .5rem; font: inherit; cursor: pointer; }
code { display: block; padding: .75rem; overflow-wrap: anywhere; border: 1px solid; font-size: 1rem; }
[role=alert] { border-left: .25rem solid; padding-left: .75rem; }`);

export interface PageContent {
  readonly title: string;
  readonly body: Html;
}

/** A whole document. */
export function page({ title, body }: PageContent): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`.markup;
}

/**
 * No scripts, no frames around us, nothing from elsewhere. `form-action` stays open, because browsers apply it to the
 * redirect that follows a form, and an application's address may have any scheme; there is no Cross-Origin-Opener-Policy,
 * because clients open the sign-in as a pop-up and wait for it.
 */
const pageHeaders: AnswerHeaders = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

export function pageAnswer(content: PageContent, options: { status?: number; headers?: AnswerHeaders } = {}): Answer {
  const headers = { ...pageHeaders, ...options.headers };
  return bytes(page(content), { contentType: htmlContentType, status: options.status ?? 200, headers });
}
