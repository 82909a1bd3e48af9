/** /settings/moving: the aliases of an account, and moving it to another one. */

import { movingLimits } from '../../../actors/account/moving/limits.ts';
import { findAccount } from '../../../actors/account/profile/profiles.queries.ts';
import { addAlias, removeAlias } from '../../../operations/moving/aliases.ts';
import { cancelMove, moveAccount } from '../../../operations/moving/move-account.ts';
import { type FieldProblem, type FieldProblems, FieldsRefused, invalid } from '../../../operations/refused-fields.ts';
import { asFailure, Failure } from '../../../runtime/errors.ts';
import { type Id, parseId } from '../../../runtime/ids.ts';
import { type Html, html } from '../../../services/words/html.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { type Answer, redirect } from '../../http/answers.ts';
import { alert, formField, hidden, queryFields } from '../../oauth/forms.ts';
import type { RawRoute } from '../../route.ts';
import { failureSentence, problemSentence } from '../failure-sentence.ts';
import { memberPage } from '../page-handler.ts';
import { byline } from '../parts/account.ts';
import { siteAnswer } from '../parts/frame.ts';
import { formRoute, type SignedInForm } from '../signed-in-form.ts';
import type { MemberVisit } from '../visit.ts';
import { settingsHead } from './settings-head.ts';

interface MovingState {
  /** The refused input. */
  readonly alias?: string;
  readonly target?: string;
  readonly aliasProblems?: FieldProblems;
  readonly moveProblems?: FieldProblems;
  /** Why the account cannot move now. */
  readonly refusal?: string;
  readonly done?: string | undefined;
}

/** What was done, as the address says. */
const doings = ['added', 'removed', 'moved', 'back'] as const;

export const movingPage = memberPage((visit, { request }) => {
  const done = doings.find((one) => one === queryFields(request.query).get('done'));
  return movingAnswer(visit, { done: done && visit.words.settings.moving[done] });
});

function movingAnswer(visit: MemberVisit, state: MovingState): Answer {
  const { title } = visit.words.settings.moving;
  const main = html`${settingsHead(visit, title)}
${state.done !== undefined && html`<p class="card done" role="status">${state.done}</p>`}
${aliases(visit, state)}
${moving(visit, state)}`;
  const isRefused = [state.aliasProblems, state.moveProblems, state.refusal].some((one) => one !== undefined);
  return siteAnswer(visit, {
    title,
    main,
    status: isRefused ? 422 : 200,
    current: 'settings',
    isIndexed: false,
  });
}

function aliases(visit: MemberVisit, { alias = '', aliasProblems: problems }: MovingState): Html {
  const { snapshots } = visit.services;
  const words = visit.words.settings.moving;
  const address = `@${visit.account.profile.username}@${visit.services.addresses.domain}`;
  const known = (findAccount(snapshots, visit.account.id)?.profile.aliasIds ?? []).map((id) =>
    findAccount(snapshots, id),
  );
  return html`<section class="card plain settings" id="aliases"><h2>${words.toThisOne}</h2>
<p>${words.toThisOneHint({ address })}</p>
${known.map((account) => account && html`<div class="person">${byline(visit, account.profile)}${removal(visit, account.profile.id)}</div>`)}
<form method="post" action="/web/settings/aliases">
${alert(problems === undefined ? undefined : visit.words.problems.checkFields)}
${hidden('form_token', visit.formToken)}
${formField({
  name: 'alias',
  label: words.oldAccount,
  hint: words.oldAccountHint({ limit: movingLimits.aliasesMax }),
  problem: problemSentence(visit.words, problems?.handle),
  control: (described) =>
    html`<input name="alias" value="${alias}" autocapitalize="none" spellcheck="false" required${described}>`,
})}
<button type="submit">${words.add}</button>
</form></section>`;
}

function removal(visit: MemberVisit, accountId: Id): Html {
  return html`<form class="relation" method="post" action="/web/settings/aliases/${accountId}/remove">${hidden('form_token', visit.formToken)}<button type="submit" class="quiet">${visit.words.settings.moving.remove}</button></form>`;
}

function moving(visit: MemberVisit, { target = '', moveProblems: problems, refusal }: MovingState): Html {
  const { snapshots } = visit.services;
  const words = visit.words.settings.moving;
  const movedTo = findAccount(snapshots, visit.account.id)?.profile.movedTo;
  const there = movedTo === undefined ? undefined : findAccount(snapshots, movedTo);
  return html`<section class="card plain settings" id="move"><h2>${words.toAnother}</h2>
${there && html`<p>${words.hasMoved}</p>${byline(visit, there.profile)}<form method="post" action="/web/settings/move/cancel">${hidden('form_token', visit.formToken)}<button type="submit" class="quiet">${words.cancel}</button></form>`}
<p>${words.toAnotherHint}</p>
<form method="post" action="/web/settings/move">
${alert(refusal ?? (problems === undefined ? undefined : visit.words.problems.checkFields))}
${hidden('form_token', visit.formToken)}
${formField({
  name: 'target',
  label: words.newAccount,
  hint: words.newAccountHint,
  problem: problemSentence(visit.words, problems?.handle),
  control: (described) =>
    html`<input name="target" value="${target}" autocapitalize="none" spellcheck="false" required${described}>`,
})}
${formField({
  name: 'password',
  label: words.password,
  problem: problemSentence(visit.words, problems?.password),
  control: (described) =>
    html`<input type="password" name="password" autocomplete="current-password" required${described}>`,
})}
<button type="submit">${words.move}</button>
</form></section>`;
}

/** Redirects back to the page with a message, or shows it again with the problems of the input. */
function movingForm(
  path: string,
  done: string,
  run: (form: SignedInForm, id: Id) => Promise<void>,
  refused: (form: SignedInForm, failure: Failure) => MovingState | undefined = () => undefined,
): RawRoute<GatewayServices> {
  return formRoute(
    path,
    async (form, context) => {
      const id = parseId(context.pathParameters.id ?? '0');
      if (id === undefined) throw new Failure('notFound');
      try {
        await run(form, id);
      } catch (error) {
        const state = refused(form, asFailure(error));
        if (state === undefined) throw error;
        return movingAnswer(form.visit, state);
      }
      return redirect(`/settings/moving?done=${done}`, 303);
    },
    { admitsMoved: true },
  );
}

const typed = ({ fields }: SignedInForm, name: string) => fields.get(name) ?? '';
const notThePassword: FieldProblem = { ...invalid, reason: 'notThePassword' };

export const movingRoutes: readonly RawRoute<GatewayServices>[] = [
  movingForm(
    '/web/settings/aliases',
    'added',
    (form) => addAlias(form, { handle: typed(form, 'alias') }),
    (form, failure) =>
      failure instanceof FieldsRefused ? { alias: typed(form, 'alias'), aliasProblems: failure.problems } : undefined,
  ),
  movingForm('/web/settings/aliases/:id/remove', 'removed', (form, accountId) => removeAlias(form, { accountId })),
  movingForm(
    '/web/settings/move',
    'moved',
    (form) => moveAccount(form, { handle: typed(form, 'target'), password: typed(form, 'password') }),
    (form, failure) => {
      const target = typed(form, 'target');
      if (failure instanceof FieldsRefused) return { target, moveProblems: failure.problems };
      if (failure.code === 'credentialsInvalid') return { target, moveProblems: { password: [notThePassword] } };
      return failure.code === 'validation'
        ? { target, refusal: failureSentence(form.visit.words, failure) }
        : undefined;
    },
  ),
  movingForm('/web/settings/move/cancel', 'back', (form) => cancelMove(form, {})),
];
