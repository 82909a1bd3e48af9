/** The list of the server's rules. */
import type { EffectiveSettings } from '../../../operations/instance/settings.ts';
import { type Html, html } from './html.ts';

export function rulesList(rules: EffectiveSettings['rules']): Html {
  return html`<ol class="rules">${rules.map(
    ({ text, hint }) => html`<li dir="auto">${text}${hint !== '' && html`<p>${hint}</p>`}</li>`,
  )}</ol>`;
}
