/**
 * The second step of signing in: a code or a passkey, where two-factor authentication is on. The page is the answer to the first one; its
 * form at /auth/sign_in/code carries a ticket of that (services/sign-in-tickets.ts).
 */
import { passkeysOf } from '../../actors/account/two-factor/two-factor.queries.ts';
import { accountOfStep, passSecondStep } from '../../operations/registration/second-step.ts';
import { askForPasskey } from '../../operations/two-factor/passkeys.ts';
import { asFailure } from '../../runtime/errors.ts';
import type { Services } from '../../services/services.ts';
import type { Words } from '../../services/words/languages.ts';
import { type Answer, redirect } from '../http/answers.ts';
import { statusOf } from '../http/failures.ts';
import { failureSentence } from '../pages/failure-sentence.ts';
import { html, pageAnswer } from '../pages/page.ts';
import { usePasskey } from '../pages/parts/passkeys.ts';
import { wordsFor } from '../pages/words-for.ts';
import { rawRoute } from '../route.ts';
import { type Browser, devicesOf, formToken } from './browser.ts';
import { closeSession, openSession, whereTo } from './browser-session.ts';
import { alert, failedPage, formField, hidden, localPath } from './forms.ts';
import { oauthLimits } from './limits.ts';
import { ownForm, visitorContext } from './own-form.ts';

const path = '/auth/sign_in/code';

export interface SecondStep {
  readonly services: Services;
  readonly words: Words;
  readonly browser: Browser;
  readonly formSecret: string;
  /** The path of this server to return to. */
  readonly returnTo: string;
  readonly ticket: string;
  readonly problem?: string;
}

export async function secondStepAnswer(step: SecondStep): Promise<Answer> {
  const { words, browser, formSecret, returnTo, ticket, problem } = step;
  const asked = await passkeyOf(step);
  const { secondStep, signIn } = words.signing;
  const body = html`<p>${secondStep.introduction}</p>
${alert(problem)}
<form method="post" action="${path}">
${hidden('form_token', formToken(formSecret, browser))}
${hidden('return_to', returnTo)}
${hidden('ticket', ticket)}
${formField({
  name: 'code',
  label: secondStep.code,
  hint: secondStep.codeHint,
  control: (described) =>
    html`<input name="code" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" required autofocus${described}>`,
})}
<button type="submit">${signIn}</button>
${asked && usePasskey(words, asked, secondStep.passkey)}
</form>
<p><a href="/auth/sign_in?${new URLSearchParams({ return_to: returnTo }).toString()}">${secondStep.again}</a></p>`;
  const status = problem === undefined ? 200 : 422;
  const content = { words, title: secondStep.title, body, hasPasskeys: asked !== undefined };
  return pageAnswer(content, { status, headers: browser.cookie });
}

/** Only for a ticket that holds: what keys an account has is for its owner. */
async function passkeyOf({ services, ticket, browser }: SecondStep) {
  const account = await accountOfStep(services, ticket, browser.secret);
  if (account === undefined || passkeysOf(services.snapshots, account.id).length === 0) return undefined;
  return askForPasskey(services, { purpose: 'second step', browser: browser.secret, accountId: account.id });
}

/** Opened by hand, or from the history. */
export const secondStepPages = [path, '/auth/sign_in/passkey'].map((formPath) =>
  rawRoute<Services>({
    method: 'GET',
    path: formPath,
    failed: failedPage,
    handler: () => redirect('/auth/sign_in', 303),
  }),
);

export const postSecondStep = rawRoute<Services>({
  method: 'POST',
  path,
  bodyBytesMax: oauthLimits.formBytesMax,
  failed: failedPage,
  async handler(context): Promise<Answer> {
    const { fields, browser, formSecret } = await ownForm(context);
    const returnTo = localPath(fields.get('return_to'));
    const ticket = fields.get('ticket') ?? '';
    try {
      const account = await passSecondStep(visitorContext(context), {
        ticket,
        code: fields.get('code') ?? '',
        passkey: fields.get('passkey'),
        userAgent: context.request.header('user-agent'),
        browser: browser.secret,
        devices: devicesOf(context.request),
      });
      await closeSession(context, browser);
      return redirect(whereTo(account, returnTo), 303, await openSession(context, account, 'secondFactor'));
    } catch (error) {
      const failure = asFailure(error);
      if (failure.code === 'signInExpired' || statusOf(failure) >= 500) throw failure;
      const words = wordsFor(context.services, context.request, undefined);
      const problem = failureSentence(words, failure);
      return secondStepAnswer({ services: context.services, words, browser, formSecret, returnTo, ticket, problem });
    }
  },
});
