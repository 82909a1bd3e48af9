/** Markup around parts of a sentence of the catalogue. */
import { type Html, html } from '../../../services/words/html.ts';

type Slot = (inside: Html) => Html;

/** `<link>the rules</link>` becomes a link to the path. */
export function linkTo(path: string): Slot {
  return (inside) => html`<a href="${path}">${inside}</a>`;
}

export const strong: Slot = (inside) => html`<strong>${inside}</strong>`;
export const code: Slot = (inside) => html`<code>${inside}</code>`;
