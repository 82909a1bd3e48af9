/** Single keys on the pages of reports, besides those of all pages (parts/shortcuts.ts), with which they are switched off. */
import { type Html, html } from '../../../../services/words/html.ts';
import type { StaffVisit } from '../visitor.ts';

const keys = {
  next: 'j',
  previous: 'k',
  assign: 'a',
  resolve: 'r',
  decide: 'd',
  list: 'l',
  older: 'n',
} as const;
type KeyAction = keyof typeof keys;

/** The attributes of what a key presses, follows or goes to. */
export function keyed(action: KeyAction): Html {
  return html` data-key="${keys[action]}" aria-keyshortcuts="${keys[action]}"`;
}

/** Shown by the script, without which no key does anything. */
export function keysHelp({ words: { staff } }: StaffVisit, actions: readonly KeyAction[]): Html {
  const rows = actions.map(
    (action) => html`<div><dt><kbd lang="en">${keys[action]}</kbd></dt><dd>${staff.keys[action]}</dd></div>`,
  );
  return html`<details class="card keys" data-keys hidden><summary>${staff.keys.title}</summary><dl>${rows}</dl>
<p class="fine">${staff.keys.more({ key: html`<kbd>?</kbd>` })}</p></details>`;
}
