/** The rules of the server as a visitor reads them, and their list. */

import type { EffectiveSettings } from '../../../operations/instance/settings.ts';
import { closestLanguage } from '../../../services/words/closest-language.ts';
import { type Html, html } from '../../../services/words/html.ts';

type Rule = EffectiveSettings['rules'][number];

export interface ReadRule extends Pick<Rule, 'id' | 'text' | 'hint'> {
  /** The code of its translation; undefined for the rule as the staff wrote it first. */
  readonly language: string | undefined;
}

/**
 * In the language that the visitor likes best, if it is translated. Others are not asked for: the language of what the
 * staff wrote first is unknown, and may be the second one.
 */
export function rulesFor(rules: readonly Rule[], language: string | undefined): ReadRule[] {
  return rules.map(({ id, text, hint, translations = {} }) => {
    const found = language === undefined ? undefined : closestLanguage(Object.keys(translations), language);
    return found === undefined ? { id, text, hint, language: found } : { id, ...translations[found]!, language: found };
  });
}

export function rulesList(rules: readonly ReadRule[]): Html {
  return html`<ol class="rules">${rules.map(
    ({ text, hint, language }) =>
      html`<li dir="auto"${inLanguage(language)}>${text}${hint !== '' && html`<p>${hint}</p>`}</li>`,
  )}</ol>`;
}

/** The attribute of an element with a rule's text. */
export function inLanguage(language: string | undefined): Html | false {
  return language !== undefined && html` lang="${language}"`;
}
