/** The language of a post, chosen by its writer: by default the one of the writer's settings. */
import type { LocalAccount } from '../../../actors/account/profile/logins.queries.ts';
import { commonLanguages } from '../../../operations/languages.ts';
import { languageOf } from '../../../operations/statuses/written-status.ts';
import { type Html, html } from '../../../services/words/html.ts';
import type { Words } from '../../../services/words/languages.ts';
import type { Visit } from '../visit.ts';

export interface NamedLanguage {
  readonly code: string;
  readonly name: string;
}

/** In each language of the pages that was asked for. */
const choices = new WeakMap<Words['language'], readonly NamedLanguage[]>();

/** By name, as they are called in the language of the page: some 180. */
export function namedLanguages({ words }: Visit): readonly NamedLanguage[] {
  const { language } = words;
  const known = choices.get(language) ?? namedIn(language.code);
  choices.set(language, known);
  return known;
}

function namedIn(locale: string): readonly NamedLanguage[] {
  const names = new Intl.DisplayNames([locale], { type: 'language' });
  const { compare } = new Intl.Collator(locale);
  return commonLanguages()
    .map((code) => ({ code, name: names.of(code)! }))
    .sort((one, other) => compare(one.name, other.name));
}

/** The language of a post whose writer says none. */
export function usualLanguage({ login }: LocalAccount): string | undefined {
  return languageOf(login.defaultLanguage) ?? languageOf(login.locale);
}

/** Whether another one than the writer's usual language was chosen. */
export function isOtherLanguage({ account }: Visit, chosen: string | undefined): boolean {
  return chosen !== undefined && chosen !== (account && usualLanguage(account));
}

export function languageChoice(visit: Visit, chosen: string | undefined): Html {
  const { words, account } = visit;
  const usual = account && usualLanguage(account);
  const current = chosen ?? usual;
  const known = namedLanguages(visit);
  const isListed = current === undefined || known.some(({ code }) => code === current);
  const all = isListed ? known : [{ code: current, name: current }, ...known];
  const options = all.map(
    ({ code, name }) => html`<option value="${code}"${code === current && html` selected`}>${name}</option>`,
  );
  const isOpen = isOtherLanguage(visit, chosen);
  const { language, languageOfPost } = words.writing;
  return html`<details data-extra${isOpen && html` open`}><summary class="button quiet">${language}</summary>
<fieldset><legend class="unseen">${languageOfPost}</legend><label>${languageOfPost}
<select name="language">${options}</select></label></fieldset></details>`;
}
