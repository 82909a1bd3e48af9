/** /admin/settings/terms: the terms of service, by the days on which they take effect. */
import {
  type ListedTerms,
  listTerms,
  publishTerms,
  tellTerms,
  withdrawTerms,
} from '../../../../operations/administration/terms.ts';
import { Failure, validationFailure } from '../../../../runtime/errors.ts';
import { html } from '../../../../services/words/html.ts';
import { dateOfDay } from '../../../entities/values.ts';
import type { GatewayServices } from '../../../gateway-services.ts';
import { redirect } from '../../../http/answers.ts';
import { formField } from '../../../oauth/forms.ts';
import type { RawRoute } from '../../../route.ts';
import { webLimits } from '../../limits.ts';
import { fullDay, timeAgo } from '../../parts/time.ts';
import { type TextDraft, textFields, textIn } from '../documents-page.ts';
import { askingButton, perform } from '../parts.ts';
import { settingsPages, settingsTabs } from '../settings-tabs.ts';
import { staffForm } from '../staff-visit.ts';
import { listedRoutes } from './listed-page.ts';

interface TermsDraft extends TextDraft {
  /** As the browser writes it. */
  readonly day: string;
}

const address = settingsPages.terms;
const dayMilliseconds = 24 * 60 * 60 * 1_000;

/** Undefined for what is no day. */
function dayIn(typed: string): number | undefined {
  const at = /^\d{4}-\d\d-\d\d$/.test(typed) ? Date.parse(typed) : Number.NaN;
  return Number.isNaN(at) || at < 0 ? undefined : at / dayMilliseconds;
}

/** Throws Failure notFound. */
function dayNamed(id: string): number {
  const day = dayIn(id);
  if (day === undefined) throw new Failure('notFound');
  return day;
}

const list = listedRoutes({
  section: 'settings',
  address,
  tabs: (visit) => settingsTabs(visit, 'terms'),
  words: ({ keeping }) => keeping.texts.terms,
  list: (visit) => ({ items: [...listTerms(visit, {})].reverse() }),
  row(visit, { day, isInForce, isEffective, toldAt }: ListedTerms) {
    const words = visit.words.keeping.texts.terms;
    const date = dateOfDay(day);
    const state = isInForce ? words.inForce : isEffective ? words.past : words.future;
    const told = toldAt !== undefined && html`<p class="fine">${words.told({ time: timeAgo(visit, toldAt) })}</p>`;
    return html`<div class="line row"><a class="what" href="/terms-of-service?date=${date}">${fullDay(visit, day * dayMilliseconds)}</a><span class="badge">${state}</span></div>
${told}
<div class="line row">${toldAt === undefined && askingButton(`/web${address}/${date}/tell`, words.tell, words.tellQuestion, words.tellNow)}${askingButton(`/web${address}/${date}/remove`, words.withdraw, words.withdrawQuestion, words.withdrawNow)}</div>`;
  },
  empty: { day: '', text: '', isHtml: false } as TermsDraft,
  fields(visit, draft) {
    const words = visit.words.keeping.texts.terms;
    return html`${formField({ name: 'day', label: words.day, control: (described) => html`<input type="date" name="day" value="${draft.day}" required${described}>` })}
${textFields(visit, draft)}`;
  },
  draftIn: (fields) => ({ day: fields.get('day') ?? '', ...textIn(fields) }),
  async add(form, { day: typed, ...text }) {
    const day = dayIn(typed);
    if (day === undefined) throw validationFailure('This is no day.');
    await perform(form, publishTerms, { day, ...text });
  },
  added: 'termsPublished',
  bodyBytesMax: webLimits.documentFormBytesMax,
  removal: { remove: ({ visit }, id) => withdrawTerms(visit, { day: dayNamed(id) }), removed: 'termsWithdrawn' },
});

const tell = staffForm(
  `/web${address}/:id/tell`,
  'manageSettings',
  async ({ visit }, { pathParameters: { id = '' } }) => {
    await tellTerms(visit, { day: dayNamed(id) });
    return redirect(`${address}?done=termsTold`, 303);
  },
);

export const termsRoutes: readonly RawRoute<GatewayServices>[] = [...list, tell];
