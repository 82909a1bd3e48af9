/** Related pages, as links in a row. */
import { type Html, html } from '../../../services/words/html.ts';

export interface Tab {
  readonly words: string;
  readonly path: string;
  readonly isCurrent: boolean;
}

/** `label` is for screen readers. */
export function tabs(label: string, all: readonly Tab[]): Html {
  const links = all.map(
    ({ words, path, isCurrent }) => html`<a href="${path}"${isCurrent && html` aria-current="page"`}>${words}</a>`,
  );
  return html`<nav class="tabs" aria-label="${label}">${links}</nav>`;
}
