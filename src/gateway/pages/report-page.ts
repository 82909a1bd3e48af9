/** GET and POST /web/accounts/:id/report: reports an account, optionally with one post or collection, to the staff. */
import type { Profile } from '../../actors/account/profile/profile.records.ts';
import { findProfile } from '../../actors/account/remote/federation.queries.ts';
import { reportLimits } from '../../actors/account/reports/limits.ts';
import { reportCategories } from '../../actors/account/reports/reports.records.ts';
import { findVisibleStatus } from '../../actors/account/status-views.queries.ts';
import { knownAccount } from '../../operations/accounts/known-account.ts';
import type { FieldProblems } from '../../operations/refused-fields.ts';
import { FieldsRefused } from '../../operations/refused-fields.ts';
import { reportAccount } from '../../operations/reports/report-account.ts';
import { viewerFor } from '../../operations/statuses/visible-status.ts';
import { type Id, parseId } from '../../runtime/ids.ts';
import { type Html, html } from '../../services/words/html.ts';
import type { Answer } from '../http/answers.ts';
import { alert, formField, hidden, localPath, queryFields } from '../oauth/forms.ts';
import { problemSentence } from './failure-sentence.ts';
import { memberPage } from './page-handler.ts';
import { plainName } from './parts/account.ts';
import { siteAnswer } from './parts/frame.ts';
import { handleOf, pathOfStatus } from './parts/links.ts';
import { inLanguage, rulesFor } from './parts/rules.ts';
import { linkTo } from './parts/slots.ts';
import { formRoute } from './signed-in-form.ts';
import { idInPath, type MemberVisit } from './visit.ts';

type Category = (typeof reportCategories)[number];

interface ReportDraft {
  readonly target: Profile;
  readonly statusId: Id | undefined;
  readonly collectionId: Id | undefined;
  readonly category: Category;
  readonly ruleIds: readonly string[];
  readonly comment: string;
  readonly forward: boolean;
  /** Also to the server of whom the post answers. */
  readonly forwardAnswered: boolean;
  /** The path of this server to return to. */
  readonly returnTo: string;
  /** Why it was not sent. */
  readonly problems?: FieldProblems;
}

export const reportPage = memberPage((visit, context) => {
  const given = queryFields(context.request.query);
  const { profile } = knownAccount(visit.services, idInPath(context));
  return reportAnswer(visit, {
    target: profile,
    statusId: parseId(given.get('status') ?? ''),
    collectionId: parseId(given.get('collection') ?? ''),
    category: 'other',
    ruleIds: [],
    comment: '',
    forward: profile.remote !== undefined,
    forwardAnswered: false,
    returnTo: localPath(given.get('return_to')),
  });
});

function reportAnswer(visit: MemberVisit, draft: ReportDraft): Answer {
  const { target, problems } = draft;
  const words = visit.words.people.reporting;
  const main = html`<h1 class="list">${words.titleFor({ account: `@${handleOf(target)}` })}</h1>
<form class="card plain settings" method="post" action="/web/accounts/${target.id}/report">
<p>${words.introduction({ name: html`<bdi>${plainName(target)}</bdi>` })}</p>
${alert(problems === undefined ? undefined : visit.words.problems.checkFields)}
${hidden('form_token', visit.formToken)}
${hidden('return_to', draft.returnTo)}
${hidden('status', draft.statusId?.toString())}
${hidden('collection', draft.collectionId?.toString())}
${draft.collectionId !== undefined && html`<p>${words.collection({ link: linkTo(`/collections/${draft.collectionId}`) })}</p>`}
${draft.statusId !== undefined && html`<p>${words.post({ link: linkTo(pathOfStatus(target, draft.statusId)) })}</p>`}
<fieldset class="field"><legend>${words.question}</legend>${categories(visit, draft)}</fieldset>
${formField({
  name: 'comment',
  label: words.comment,
  hint: words.commentHint({ limit: reportLimits.commentCharactersMax }),
  problem: problemSentence(visit.words, problems?.comment),
  control: (described) => html`<textarea name="comment" dir="auto" rows="4"${described}>${draft.comment}</textarea>`,
})}
${forwardChoice(visit, draft)}
<button type="submit">${words.send}</button>
</form>`;
  const status = problems === undefined ? 200 : 422;
  return siteAnswer(visit, { title: words.title, main, status, isIndexed: false });
}

function categories({ settings, language: wanted, words }: MemberVisit, { category, ruleIds }: ReportDraft): Html {
  const offered = reportCategories.filter((one) => one !== 'violation' || settings.rules.length > 0);
  const rules = rulesFor(settings.rules, wanted).map(
    ({ id, text, language }) =>
      html`<label class="choice"><input type="checkbox" name="rule" value="${id}"${ruleIds.includes(id) && html` checked`}> <span dir="auto"${inLanguage(language)}>${text}</span></label>`,
  );
  return html`${offered.map(
    (one) =>
      html`<label class="choice"><input type="radio" name="category" value="${one}"${one === category && html` checked`}> <span>${words.people.reporting[one]}</span></label>
${one === 'violation' && html`<div class="field">${rules}</div>`}`,
  )}`;
}

function forwardChoice(visit: MemberVisit, draft: ReportDraft): Html | undefined {
  const { target, forward, forwardAnswered } = draft;
  const { people } = visit.words;
  if (target.domain === undefined) return undefined;
  const answered = answeredServer(visit, target, draft.statusId);
  return html`<div class="field"><label class="choice"><input type="checkbox" name="forward" value="1"${forward && html` checked`} aria-describedby="forward-hint"> <span>${people.reporting.forward({ server: target.domain })}</span></label>
<p class="fine" id="forward-hint">${people.reporting.forwardHint}</p></div>
${
  answered !== undefined &&
  html`<div class="field"><label class="choice"><input type="checkbox" name="forward_answered" value="1"${forwardAnswered && html` checked`} aria-describedby="answered-hint"> <span>${people.reporting.forward({ server: answered })}</span></label>
<p class="fine" id="answered-hint">${people.reporting.answeredHint}</p></div>`
}`;
}

/** The other server whose account the post answers, as far as the visitor sees the post. */
function answeredServer({ services, account }: MemberVisit, target: Profile, statusId: Id | undefined) {
  const viewer = viewerFor(services, account.id);
  const view = statusId === undefined ? undefined : findVisibleStatus(services.snapshots, statusId, viewer);
  const answeredId = view?.status.inReplyToAccountId;
  const domain = answeredId === undefined ? undefined : findProfile(services.snapshots, answeredId)?.domain;
  return domain === target.domain ? undefined : domain;
}

export const reportForm = formRoute('/web/accounts/:id/report', async (form, context) => {
  const { fields, services, visit, returnTo } = form;
  const { profile: target } = knownAccount(services, idInPath(context));
  const statusId = parseId(fields.get('status') ?? '');
  const collectionId = parseId(fields.get('collection') ?? '');
  const category = reportCategories.find((one) => one === fields.get('category')) ?? 'other';
  // Rules are used with their category only.
  const ruleIds = category === 'violation' ? fields.all('rule') : [];
  const comment = fields.get('comment') ?? '';
  const forward = fields.get('forward') !== undefined;
  const forwardAnswered = fields.get('forward_answered') !== undefined;
  const statusIds = statusId === undefined ? [] : [statusId];
  const collectionIds = collectionId === undefined ? [] : [collectionId];
  const given = { targetId: target.id, statusIds, collectionIds, ruleIds, category, comment };
  const answered = forwardAnswered ? answeredServer(visit, target, statusId) : undefined;
  const own = forward ? target.domain : undefined;
  const chosen = [own, answered].filter((domain) => domain !== undefined);
  try {
    await reportAccount(form, { ...given, forward: chosen.length > 0, forwardToDomains: chosen });
    return sentAnswer(visit, target, returnTo);
  } catch (error) {
    if (!(error instanceof FieldsRefused)) throw error;
    const { problems } = error;
    const draft = { target, statusId, collectionId, category, ruleIds, comment, forward, forwardAnswered };
    return reportAnswer(visit, { ...draft, returnTo, problems });
  }
});

function sentAnswer(visit: MemberVisit, target: Profile, returnTo: string): Answer {
  const words = visit.words.people.reporting;
  const account = `@${handleOf(target)}`;
  const main = html`<h1 class="list">${words.titleFor({ account })}</h1>
<p class="card done" role="status">${words.sent}</p>
<p class="card plain">${words.next({ account, profile: linkTo(`/${account}`), reports: linkTo('/settings/reports'), back: linkTo(returnTo) })}</p>`;
  return siteAnswer(visit, { title: words.title, main, isIndexed: false });
}
