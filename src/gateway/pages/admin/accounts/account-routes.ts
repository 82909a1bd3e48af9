/** POST /web/admin/accounts/:id/act, and the buttons below it. */
import { notificationLimits } from '../../../../actors/account/notifications/limits.ts';
import type { AccountView } from '../../../../actors/account/profile/profiles.queries.ts';
import { cleanText } from '../../../../actors/text/characters.ts';
import { inspectAccount } from '../../../../operations/administration/inspect-account.ts';
import { blank, tooLong } from '../../../../operations/refused-fields.ts';
import { asFailure } from '../../../../runtime/errors.ts';
import { parseId } from '../../../../runtime/ids.ts';
import type { GatewayServices } from '../../../gateway-services.ts';
import { type Answer, redirect } from '../../../http/answers.ts';
import type { RawRoute } from '../../../route.ts';
import { failureSentence, problemSentence } from '../../failure-sentence.ts';
import { pageRoute } from '../../page-handler.ts';
import { idInPath } from '../../visit.ts';
import { sections } from '../sections.ts';
import { staffForm } from '../staff-visit.ts';
import type { StaffForm, StaffVisit } from '../visitor.ts';
import { accountDecisions, type ButtonName, buttons } from './account-decisions.ts';
import { type Draft, offeredTo } from './account-forms.ts';
import { accountAnswer, accountPage } from './account-page.ts';
import { accountsPage, accountsPath } from './accounts-page.ts';
import { newsOf } from './last-decision.ts';

const { permission } = sections.accounts;

/** Where nothing was decided meanwhile; somebody who was faster is told otherwise, and nothing is done. */
async function unlessNews(form: StaffForm, account: AccountView, run: () => Promise<unknown>, draft?: Draft) {
  const { visit, fields } = form;
  const { id: accountId } = account.profile;
  const kept = draft === undefined ? {} : { draft };
  const news = newsOf(visit, accountId, fields);
  if (news !== undefined) return accountAnswer(visit, account, { ...kept, refusal: news });
  try {
    await run();
    return undefined;
  } catch (error) {
    const failure = asFailure(error);
    if (failure.code !== 'validation' && failure.reason !== 'decidedMeanwhile') throw failure;
    const refusal = newsOf(visit, accountId, fields) ?? failureSentence(visit.words, failure);
    return accountAnswer(visit, inspectAccount(visit, { accountId }), { ...kept, refusal });
  }
}

function buttonForm(verb: ButtonName): RawRoute<GatewayServices> {
  const { operation, done, run } = buttons[verb];
  return staffForm(`/web${accountsPath}/:id/${verb}`, [permission, operation.permission], async (form, context) => {
    const account = inspectAccount(form.visit, { accountId: idInPath(context) });
    const refused = await unlessNews(form, account, () => run(form, account.profile.id));
    return refused ?? redirect(placeAfter(verb, account, done), 303);
  });
}

/** Who goes through those that wait goes on with the next. */
function placeAfter(verb: ButtonName, { profile }: AccountView, done: string): string {
  const isAdmission = verb === 'approve' || verb === 'reject';
  return isAdmission ? `${accountsPath}?standing=pending&done=${done}` : `${accountsPath}/${profile.id}?done=${done}`;
}

const act = staffForm(`/web${accountsPath}/:id/act`, permission, async (form, context): Promise<Answer> => {
  const { visit, fields } = form;
  const account = inspectAccount(visit, { accountId: idInPath(context) });
  const action = offeredTo(visit, account).find((one) => one === fields.get('action'));
  const [text, preset] = [fields.get('text') ?? '', fields.get('preset') ?? ''];
  const draft: Draft = { action, text, preset, tells: fields.get('tells') !== undefined };
  const problem = problemOf(visit, draft);
  if (problem !== undefined)
    return accountAnswer(visit, account, { draft: { ...draft, problem }, refusal: visit.words.problems.checkFields });
  const presetId = parseId(preset);
  const told = { account: account.profile.id, text, tells: draft.tells, ...(presetId !== undefined && { presetId }) };
  const decide = action === undefined ? undefined : accountDecisions[action].decide;
  const refused = await unlessNews(form, account, async () => decide?.(visit, told), draft);
  if (refused !== undefined) return refused;
  if (action === undefined)
    return accountAnswer(visit, account, { draft, refusal: visit.words.staff.reports.nothingChosen });
  return redirect(`${accountsPath}/${account.profile.id}?done=accountDecided`, 303);
});

function problemOf({ words }: StaffVisit, { action, text, preset }: Draft): string | undefined {
  const limit = notificationLimits.warningCharactersMax;
  const clean = cleanText(text);
  if (clean.length > limit) return problemSentence(words, [tooLong(limit)]);
  return action === 'none' && clean === '' && preset === '' ? problemSentence(words, [blank]) : undefined;
}

export const accountRoutes: readonly RawRoute<GatewayServices>[] = [
  pageRoute(accountsPath, accountsPage),
  pageRoute(`${accountsPath}/:id`, accountPage),
  act,
  ...(Object.keys(buttons) as ButtonName[]).map(buttonForm),
];
