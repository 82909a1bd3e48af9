/** Fields of the forms of staff. */
import { type Html, html } from '../../../../services/words/html.ts';
import { formField } from '../../../oauth/forms.ts';

interface TextField {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly value: string;
  /** As a sentence. */
  readonly problem?: string | undefined;
  readonly isRequired?: boolean;
  /** Names, addresses and numbers: not written in a language. */
  readonly isCode?: boolean;
  readonly limit?: number;
  /** Lines of a longer text. */
  readonly rows?: number;
}

export function textField({ name, label, hint, value, problem, isRequired, isCode, limit, rows }: TextField): Html {
  return formField({
    name,
    label,
    ...(hint !== undefined && { hint }),
    problem,
    control(described) {
      const attributes = html`name="${name}" ${isCode === true ? html`dir="ltr" autocapitalize="none" spellcheck="false"` : html`dir="auto"`}${
        limit !== undefined && html` maxlength="${limit}"`
      }${isRequired === true && html` required`}${described}`;
      return rows === undefined
        ? html`<input ${attributes} value="${value}">`
        : html`<textarea rows="${rows}" ${attributes}>${value}</textarea>`;
    },
  });
}

export function selectField<Value extends string>(
  name: string,
  label: string,
  words: Readonly<Record<Value, string>>,
  chosen: Value | '',
  unchosen?: string,
): Html {
  const options = Object.entries<string>(words).map(
    ([value, text]) => html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>`,
  );
  const none = unchosen !== undefined && html`<option value="">${unchosen}</option>`;
  return formField({
    name,
    label,
    control: (described) => html`<select name="${name}"${described}>${none}${options}</select>`,
  });
}
