/** The field for who may quote a post. */
import type { Approval } from '../../../actors/account/account.records.ts';
import { type QuotePolicy, quotePolicies } from '../../../actors/account/quotes/quotes.records.ts';
import { type Html, html } from '../../../services/words/html.ts';
import type { Fields } from '../../oauth/forms.ts';
import type { Visit } from '../visit.ts';

export function quotePolicySelect(
  { words }: Visit,
  name: string,
  chosen: QuotePolicy | undefined,
  described?: Html,
): Html {
  return html`<select name="${name}"${described}>${quotePolicies.map(
    (one) =>
      html`<option value="${one}"${one === chosen && html` selected`}>${words.writing.quotePolicy[one]}</option>`,
  )}</select>`;
}

/** Undefined where none was chosen. */
export function quotePolicyIn(fields: Fields, name: string): QuotePolicy | undefined {
  return quotePolicies.find((one) => one === fields.get(name));
}

/** The choice of the post's author. */
export function chosenPolicy(approval: Approval | undefined): QuotePolicy {
  return quotePolicies.find((one) => approval?.automatic.some((approver) => approver === one)) ?? 'nobody';
}
