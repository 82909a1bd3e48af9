/** The menu behind three dots: rarely used actions, and those that ask for confirmation. */
import { type Html, type HtmlPart, html } from '../../../services/words/html.ts';
import type { Visit } from '../visit.ts';
import { icon } from './icons.ts';

/** `about` is its name for screen readers. */
export function menu({ words }: Visit, about: string, items: HtmlPart): Html {
  return html`<details class="menu"><summary class="act" title="${words.site.more}">${icon('more')}<span class="unseen">${about}</span></summary>
<div>${items}</div></details>`;
}

/** Submits the form of the page to `path`; the page is reloaded, unless its script replaces what has changed. */
export function menuButton(path: string, words: HtmlPart, inPlace = false): Html {
  return html`<button class="item" form="acts" formaction="${path}"${inPlace && html` data-changes`}>${words}</button>`;
}

/** Further items behind one. */
export function menuGroup(words: HtmlPart, items: HtmlPart): Html {
  return html`<details class="group"><summary class="item">${words}</summary>${items}</details>`;
}

interface Question {
  readonly words: HtmlPart;
  readonly question: string;
  /** The confirming button's text. */
  readonly answer: string;
  /** The path of the confirming button. */
  readonly action: string;
  /** The script replaces what has changed, and the page stays. */
  readonly inPlace?: boolean;
}

export function menuQuestion({ words, question, answer, action, inPlace = false }: Question): Html {
  return html`<details class="confirm"><summary class="item danger">${words} …</summary><p>${question}</p>
<button class="danger" form="acts" formaction="${action}"${inPlace && html` data-changes`}>${answer}</button></details>`;
}
