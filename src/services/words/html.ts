/** HTML from templates: values in an `html` template are escaped unless they come from such a template themselves. */
import { escapeHtml } from '../../actors/text/escape.ts';

/** Markup that is safe to send. Created by `html`, and by `storedHtml` for content that was sanitised when stored. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

/** Lists are joined; `undefined` and `false` render nothing. */
export type HtmlPart = Html | string | number | bigint | false | undefined | readonly HtmlPart[];

export function html(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  let markup = strings[0]!;
  for (let index = 0; index < parts.length; index += 1) markup += markupOf(parts[index]) + strings[index + 1]!;
  return new Html(markup);
}

/** The markup of a value in a template. */
export function markupOf(part: HtmlPart): string {
  if (part === undefined || part === false) return '';
  if (part instanceof Html) return part.markup;
  if (typeof part === 'object') return part.map(markupOf).join('');
  return escapeHtml(String(part));
}
