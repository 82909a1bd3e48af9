/** Fields shared by several forms of the site. */

import { type Html, html } from '../../../services/words/html.ts';
import type { Words } from '../../../services/words/languages.ts';
import { formField } from '../../oauth/forms.ts';
import { problemSentence } from '../failure-sentence.ts';
import type { Refused } from '../refused.ts';

/** The title field of an object that its owner names. */
export function titleField(
  words: Words,
  title: string,
  charactersMax: number,
  refused: Refused<unknown> | undefined,
): Html {
  return formField({
    name: 'title',
    label: words.lists.name,
    problem: problemSentence(words, refused?.problems.title),
    control: (described) =>
      html`<input name="title" dir="auto" value="${title}" maxlength="${charactersMax}" required${described}>`,
  });
}

/** A choice of several values, or of one. */
export function choices<Value extends string>(
  legend: string,
  name: string,
  type: 'checkbox' | 'radio',
  words: Readonly<Record<Value, string>>,
  chosen: readonly Value[],
): Html {
  const rows = Object.entries<string>(words).map(
    ([value, label]) =>
      html`<label class="choice"><input type="${type}" name="${name}" value="${value}"${chosen.includes(value as Value) && html` checked`}> <span>${label}</span></label>`,
  );
  return html`<fieldset class="field"><legend>${legend}</legend>${rows}</fieldset>`;
}
