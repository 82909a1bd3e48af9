/** Single keys on the pages of reports, which the script of the page carries out: what they do, and how to switch them off. */
import { type Html, html } from '../../../../services/words/html.ts';
import type { StaffVisit } from '../staff-visit.ts';

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
<label class="choice"><input type="checkbox" checked> <span>${staff.keys.on}</span></label></details>`;
}
