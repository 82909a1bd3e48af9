/** /settings/statuses_cleanup: the rule by which the visitor's posts are deleted once they are old. */
import type { CleanupPolicy } from '../../../actors/account/cleanup/cleanup.records.ts';
import { changeCleanup, cleanupPolicyOf } from '../../../operations/cleanup/change-cleanup.ts';
import { type FieldProblems, FieldsRefused } from '../../../operations/refused-fields.ts';
import { type Html, html } from '../../../services/words/html.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { type Answer, redirect } from '../../http/answers.ts';
import { type Fields, formField, hidden, queryFields } from '../../oauth/forms.ts';
import type { RawRoute } from '../../route.ts';
import { problemSentence } from '../failure-sentence.ts';
import { memberPage, pageRoute } from '../page-handler.ts';
import { siteAnswer } from '../parts/frame.ts';
import { formRoute } from '../signed-in-form.ts';
import type { MemberVisit } from '../visit.ts';
import { settingsHead } from './settings-head.ts';

const path = '/settings/statuses_cleanup';
const daySeconds = 24 * 60 * 60;
/** As in Mastodon. */
const ages = [7, 14, 30, 60, 90, 180, 365, 730].map((days) => days * daySeconds);
const exceptions = [
  ...(['keepsDirect', 'keepsPinned', 'keepsPolls', 'keepsMedia', 'keepsFavourited', 'keepsBookmarked'] as const),
] as const;
const counts = ['favouritesMin', 'reblogsMin'] as const;

interface Draft {
  readonly isOn: boolean;
  readonly policy: CleanupPolicy;
}

function cleanupAnswer(visit: MemberVisit, { isOn, policy }: Draft, isDone: boolean, problems?: FieldProblems): Answer {
  const words = visit.words.cleanup;
  const { ageSecondsMin } = policy;
  const main = html`${settingsHead(visit, words.title)}
${isDone && html`<p class="card done" role="status">${words.done}</p>`}
<form class="card plain settings" method="post" action="/web/settings/statuses_cleanup">
${hidden('form_token', visit.formToken)}
<p>${words.introduction}</p>
${choice('is_on', isOn, words.isOn)}
${formField({
  name: 'age',
  label: words.age,
  problem: problemSentence(visit.words, problems?.ageSecondsMin),
  control: (described) =>
    html`<select name="age"${described}>${[...new Set([...ages, ageSecondsMin])].map((age) => html`<option value="${age}"${age === ageSecondsMin && html` selected`}>${words.days({ count: Math.round(age / daySeconds) })}</option>`)}</select>`,
})}
<fieldset class="field"><legend>${words.keep}</legend>
${exceptions.map((name) => choice(name, policy[name], words.exceptions[name]))}
</fieldset>
${counts.map((name) =>
  formField({
    name,
    label: words[name],
    hint: words.optional,
    problem: problemSentence(visit.words, problems?.[name]),
    control: (described) => html`<input name="${name}" inputmode="numeric" value="${policy[name] ?? ''}"${described}>`,
  }),
)}
<button type="submit">${words.save}</button>
</form>`;
  const status = problems === undefined ? 200 : 422;
  return siteAnswer(visit, { title: words.title, main, status, current: 'settings', isIndexed: false });
}

function choice(name: string, isOn: boolean, label: string): Html {
  return html`<label class="choice"><input type="checkbox" name="${name}" value="1"${isOn && html` checked`}> <span>${label}</span></label>`;
}

function draftIn(fields: Fields): Draft {
  const kept = Object.fromEntries(exceptions.map((name) => [name, fields.get(name) !== undefined])) as Pick<
    CleanupPolicy,
    (typeof exceptions)[number]
  >;
  const numbers = counts.flatMap((name) => {
    const given = fields.get(name)?.trim() ?? '';
    return given === '' ? [] : [[name, Number(given)] as const];
  });
  const policy = { ...kept, ...Object.fromEntries(numbers), ageSecondsMin: Number(fields.get('age')) };
  return { isOn: fields.get('is_on') !== undefined, policy };
}

export const cleanupRoutes: readonly RawRoute<GatewayServices>[] = [
  pageRoute(
    path,
    memberPage((visit, { request }) => {
      const isDone = queryFields(request.query).get('done') !== undefined;
      return cleanupAnswer(visit, cleanupPolicyOf(visit.services, visit.account.id), isDone);
    }),
  ),
  formRoute('/web/settings/statuses_cleanup', async (form) => {
    const draft = draftIn(form.fields);
    try {
      await changeCleanup(form, { policy: draft.isOn ? draft.policy : undefined });
    } catch (error) {
      if (!(error instanceof FieldsRefused)) throw error;
      return cleanupAnswer(form.visit, draft, false, error.problems);
    }
    return redirect(`${path}?done=1`, 303);
  }),
];
