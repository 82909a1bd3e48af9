/** A role on pages: its name, with a dot in its colour. */
import type { HeldRole } from '../../../actors/policy/roles.ts';
import { type Html, html } from '../../../services/words/html.ts';
import type { Words } from '../../../services/words/languages.ts';

/** As an attribute of the drawing: pages allow no styles of their own. */
function dotOf({ color }: HeldRole): Html | undefined {
  if (color === '') return undefined;
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="6" fill="${color}" stroke="none"/></svg> `;
}

export function roleMark(words: Words, role: HeldRole): Html {
  return html`${dotOf(role)}${nameOfRole(words, role)}`;
}

/** Those that staff have added have one name in all languages. */
export function nameOfRole({ roles }: Words, { builtIn, name }: HeldRole): string {
  return builtIn === undefined ? name : roles.builtInNames[builtIn];
}
