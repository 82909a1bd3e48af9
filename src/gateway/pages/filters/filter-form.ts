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
import { alert, type Fields, hidden, notYet, problemSentence } from '../../oauth/forms.ts';
import { webLimits } from '../limits.ts';
import { choices, titleField } from '../parts/form-fields.ts';
import { type Html, html } from '../parts/html.ts';
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
  /** A key of `lifetimes`; undefined to keep the current one. */
  readonly lifetime: string | undefined;
  readonly words: readonly Word[];
}

const contextWords: Readonly<Record<FilterContext, string>> = {
  home: 'Home and lists',
  notifications: 'Notifications',
  public: 'Public timelines',
  thread: 'Threads',
  account: 'Profiles',
};
const actionWords: Readonly<Record<Filter['action'], string>> = {
  warn: 'Cover the post with the name of the filter',
  hide: 'Leave the post out',
  blur: 'Cover its media',
};

const [hour, day] = [60 * 60, 24 * 60 * 60];
/** In seconds from now; null for ever. */
const lifetimes: Readonly<Record<string, readonly [words: string, seconds: number | null]>> = {
  ever: ['Until you remove it', null],
  hour: ['For an hour', hour],
  day: ['For a day', day],
  week: ['For a week', 7 * day],
  month: ['For 30 days', 30 * day],
};

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
  const rows = Math.min(Number(fields.get('rows') ?? 0), filterLimits.keywordsPerFilterMax);
  return {
    title: fields.get('title') ?? '',
    contexts: filterContexts.filter((one) => given.includes(one)),
    action: filterActions.find((one) => one === fields.get('action')) ?? newFilter.action,
    lifetime: fields.get('lifetime'),
    words: Array.from({ length: rows || 0 }, (_, row) => ({
      id: fields.get(`keyword_id_${row}`),
      keyword: fields.get(`keyword_${row}`) ?? '',
      wholeWord: fields.get(`whole_word_${row}`) !== undefined,
    })).filter(({ id, keyword }) => id !== undefined || keyword.trim() !== ''),
  };
}

/** An existing row that was emptied is removed. */
export function changesIn({ title, contexts, action, lifetime, words }: FilterDraft) {
  const asked = lifetime !== undefined && Object.hasOwn(lifetimes, lifetime) ? lifetimes[lifetime] : undefined;
  const expiry = asked === undefined ? {} : { expiresInSeconds: asked[1] };
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
  return html`<form class="card plain settings" method="post" action="${form.path}">
<h2>${form.title}</h2>
${alert(refused === undefined ? undefined : (refused.problem ?? notYet))}
${hidden('form_token', visit.formToken)}
${titleField(draft.title, filterLimits.titleCharactersMax, refused)}
${wordRows(draft, problems)}
${choices('Where', 'context', 'checkbox', contextWords, draft.contexts)}
${problems?.context !== undefined && html`<p class="wrong">Choose at least one place.</p>`}
${choices('What happens', 'action', 'radio', actionWords, [draft.action])}
<div class="field"><label>How long
<select name="lifetime">${lifetimeOptions(draft)}</select></label></div>
<button type="submit">${form.button}</button>
</form>`;
}

/** Some additional empty rows, for new words. */
function wordRows({ words }: FilterDraft, problems: FieldProblems | undefined): Html {
  const count = Math.min(words.length + webLimits.newFilterWords, filterLimits.keywordsPerFilterMax);
  const rows = Array.from({ length: count }, (_, row) => {
    const { id, keyword, wholeWord } = words[row] ?? { id: undefined, keyword: '', wholeWord: true };
    const wrong = problems?.keywords?.filter((one) => one.row?.index === row) ?? [];
    const sentence = problemSentence('This', wrong);
    const described = sentence !== undefined && html` aria-describedby="keyword-${row}-problem" aria-invalid="true"`;
    return html`${hidden(`keyword_id_${row}`, id)}
<div class="line"><input name="keyword_${row}" dir="auto" value="${keyword}" maxlength="${filterLimits.keywordCharactersMax}" aria-label="Word or phrase ${row + 1}"${described}>
<label class="choice"><input type="checkbox" name="whole_word_${row}" value="1"${wholeWord && html` checked`}> <span>Whole word</span></label></div>
${sentence !== undefined && html`<p class="wrong" id="keyword-${row}-problem">${sentence}</p>`}`;
  });
  return html`<fieldset class="field words"><legend>Words and phrases</legend>${hidden('rows', String(count))}${rows}
<p class="fine">An empty one is removed. Save to get room for more.</p></fieldset>`;
}

function lifetimeOptions({ lifetime }: FilterDraft): Html[] {
  const options = Object.entries(lifetimes).map(
    ([value, [words]]) => html`<option value="${value}"${value === lifetime && html` selected`}>${words}</option>`,
  );
  return lifetime === undefined ? [html`<option value="" selected>As it is</option>`, ...options] : options;
}
