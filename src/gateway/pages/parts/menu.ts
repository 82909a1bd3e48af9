/** What is behind three dots: what is not done every day, and what is asked about once more. */
import { type Html, type HtmlPart, html } from './html.ts';
import { icon } from './icons.ts';

/** `about` says what the menu belongs to, for those who hear the page. */
export function menu(about: string, items: HtmlPart): Html {
  return html`<details class="menu"><summary class="act" title="More">${icon('more')}<span class="unseen">More about ${about}</span></summary>
<div>${items}</div></details>`;
}

/** Sends the form of the page to `path`; the page is loaded again. */
export function menuButton(path: string, words: HtmlPart): Html {
  return html`<button class="item" form="acts" formaction="${path}">${words}</button>`;
}

interface Question {
  readonly words: HtmlPart;
  readonly question: string;
  /** What the button says that answers yes. */
  readonly answer: string;
  /** Where the answer is sent. */
  readonly action: string;
  /** The script exchanges what has changed, and the page stays. */
  readonly inPlace?: boolean;
}

export function menuQuestion({ words, question, answer, action, inPlace = false }: Question): Html {
  return html`<details class="confirm"><summary class="item danger">${words} …</summary><p>${question}</p>
<button class="danger" form="acts" formaction="${action}"${inPlace && html` data-changes`}>${answer}</button></details>`;
}
