/** The form of a filter: its input, and how it is shown again with problems. */

import type { KeywordChange } from '../../../actors/account/filters/filters.messages.ts';
import type { StoredFilter } from '../../../actors/account/filters/filters.queries.ts';
import {
  type Filter,
  type FilterContext,
  filterActions,
  filterContexts,
} from '../../../actors/account/filters/filters.records.ts';
import { filterLimits } from '../../../actors/account/filters/limits.ts';
import type { FieldProblems } from '../../../operations/refused-fields.ts';
import { parseId } from '../../../runtime/ids.ts';
import { type Html, html } from '../../../services/words/html.ts';
import type { Words } from '../../../services/words/languages.ts';
import { alert, type Fields, hidden } from '../../oauth/forms.ts';
import { problemSentence } from '../failure-sentence.ts';
import { webLimits } from '../limits.ts';
import { choices, titleField } from '../parts/form-fields.ts';
import type { Refused } from '../refused.ts';
import type { MemberVisit } from '../visit.ts';

/** One row of the form. */
interface Word {
  /** As text in the form; undefined for a new one. */
  readonly id: string | undefined;
  readonly keyword: string;
  readonly wholeWord: boolean;
}

export interface FilterDraft {
  readonly title: string;
  readonly contexts: readonly FilterContext[];
  readonly action: Filter['action'];
  /** Undefined to keep the current one. */
  readonly lifetime: Lifetime | undefined;
  readonly words: readonly Word[];
}

const [hour, day] = [60 * 60, 24 * 60 * 60];
/** In seconds from now; null for ever. */
const lifetimes = { ever: null, hour, day, week: 7 * day, month: 30 * day } as const;
type Lifetime = keyof typeof lifetimes;

function isLifetime(given: string | undefined): given is Lifetime {
  return given !== undefined && Object.hasOwn(lifetimes, given);
}

export const newFilter: FilterDraft = {
  title: '',
  contexts: ['home', 'public'],
  action: 'warn',
  lifetime: 'ever',
  words: [],
};

export function draftOf({ title, contexts, action, keywords }: StoredFilter): FilterDraft {
  const words = keywords.map(({ id, keyword, wholeWord }) => ({ id: id.toString(), keyword, wholeWord }));
  return { title, contexts, action, lifetime: undefined, words };
}

export function draftIn(fields: Fields): FilterDraft {
  const given = fields.all('context');
  const lifetime = fields.get('lifetime');
  const rows = Math.min(Number(fields.get('rows') ?? 0), filterLimits.keywordsPerFilterMax);
  return {
    title: fields.get('title') ?? '',
    contexts: filterContexts.filter((one) => given.includes(one)),
    action: filterActions.find((one) => one === fields.get('action')) ?? newFilter.action,
    lifetime: isLifetime(lifetime) ? lifetime : undefined,
    words: Array.from({ length: rows || 0 }, (_, row) => ({
      id: fields.get(`keyword_id_${row}`),
      keyword: fields.get(`keyword_${row}`) ?? '',
      wholeWord: fields.get(`whole_word_${row}`) !== undefined,
    })).filter(({ id, keyword }) => id !== undefined || keyword.trim() !== ''),
  };
}

/** An existing row that was emptied is removed. */
export function changesIn({ title, contexts, action, lifetime, words }: FilterDraft) {
  const expiry = lifetime === undefined ? {} : { expiresInSeconds: lifetimes[lifetime] };
  const keywords = words.map(({ id, keyword, wholeWord }): KeywordChange => {
    const known = id === undefined ? undefined : parseId(id);
    if (known === undefined) return { keyword, wholeWord };
    return keyword.trim() === '' ? { id: known, isRemoved: true } : { id: known, keyword, wholeWord };
  });
  return { changes: { title, contexts: [...contexts], action, ...expiry }, keywords };
}

interface FilterForm {
  readonly path: string;
  readonly title: string;
  readonly button: string;
}

export function filterForm(
  visit: MemberVisit,
  form: FilterForm,
  draft: FilterDraft,
  refused?: Refused<FilterDraft>,
): Html {
  const problems = refused?.problems;
  const words = visit.words.lists.filters;
  return html`<form class="card plain settings" method="post" action="${form.path}">
<h2>${form.title}</h2>
${alert(refused === undefined ? undefined : (refused.problem ?? visit.words.problems.checkFields))}
${hidden('form_token', visit.formToken)}
${titleField(visit.words, draft.title, filterLimits.titleCharactersMax, refused)}
${wordRows(visit.words, draft, problems)}
${choices(words.where, 'context', 'checkbox', words.context, draft.contexts)}
${problems?.context !== undefined && html`<p class="wrong">${problemSentence(visit.words, problems.context)}</p>`}
${choices(words.whatHappens, 'action', 'radio', words.action, [draft.action])}
<div class="field"><label>${words.howLong}
<select name="lifetime">${lifetimeOptions(visit.words, draft)}</select></label></div>
<button type="submit">${form.button}</button>
</form>`;
}

/** Some additional empty rows, for new words. */
function wordRows(said: Words, { words }: FilterDraft, problems: FieldProblems | undefined): Html {
  const labels = said.lists.filters;
  const count = Math.min(words.length + webLimits.newFilterWords, filterLimits.keywordsPerFilterMax);
  const rows = Array.from({ length: count }, (_, row) => {
    const { id, keyword, wholeWord } = words[row] ?? { id: undefined, keyword: '', wholeWord: true };
    const wrong = problems?.keywords?.filter((one) => one.row?.index === row) ?? [];
    const sentence = problemSentence(said, wrong);
    const described = sentence !== undefined && html` aria-describedby="keyword-${row}-problem" aria-invalid="true"`;
    return html`${hidden(`keyword_id_${row}`, id)}
<div class="line"><input name="keyword_${row}" dir="auto" value="${keyword}" maxlength="${filterLimits.keywordCharactersMax}" aria-label="${labels.keyword({ number: row + 1 })}"${described}>
<label class="choice"><input type="checkbox" name="whole_word_${row}" value="1"${wholeWord && html` checked`}> <span>${labels.wholeWord}</span></label></div>
${sentence !== undefined && html`<p class="wrong" id="keyword-${row}-problem">${sentence}</p>`}`;
  });
  return html`<fieldset class="field words"><legend>${labels.keywords}</legend>${hidden('rows', String(count))}${rows}
<p class="fine">${labels.keywordsHint}</p></fieldset>`;
}

function lifetimeOptions({ lists: { filters } }: Words, { lifetime }: FilterDraft): Html[] {
  const options = Object.keys(lifetimes).map(
    (one) =>
      html`<option value="${one}"${one === lifetime && html` selected`}>${filters.lifetime[one as Lifetime]}</option>`,
  );
  return lifetime === undefined
    ? [html`<option value="" selected>${filters.lifetime.asItIs}</option>`, ...options]
    : options;
}
