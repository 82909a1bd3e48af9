/** A form submitted by a signed-in visitor. */
import type { LocalAccount } from '../../actors/account/profile/logins.queries.ts';
import type { AccountCaller } from '../../operations/caller.ts';
import type { CallerLimits } from '../../operations/rate-limits.ts';
import { lacksTwoFactor } from '../../operations/two-factor/required.ts';
import { asFailure, Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import { secretsOf } from '../../services/instance-secrets.ts';
import type { GatewayServices } from '../gateway-services.ts';
import { type Answer, redirect, withHeaders } from '../http/answers.ts';
import type { RawContext } from '../http/context.ts';
import type { ParameterTree } from '../http/parameters/tree.ts';
import type { FileLimits, SizeCheck, UploadChecks } from '../http/uploads/upload.ts';
import { browserOf, demandFormToken } from '../oauth/browser.ts';
import { Fields, formFields, localPath } from '../oauth/forms.ts';
import { type RawRoute, rawRoute } from '../route.ts';
import { webLimits } from './limits.ts';
import { failedPage, twoFactorPath } from './page-handler.ts';
import { problemAnswer } from './problem-page.ts';
import { type MemberVisit, visitOf, visitWithoutForms } from './visit.ts';

export interface SignedInForm {
  readonly visit: MemberVisit;
  readonly account: LocalAccount;
  /** Operations are called with these two. */
  readonly caller: AccountCaller;
  readonly services: GatewayServices;
  readonly fields: Fields;
  /** The path of this server to return to. */
  readonly returnTo: string;
}

/** Who sends a form with files. */
export interface FormSender {
  readonly accountId: Id;
  readonly limits: CallerLimits;
}

interface FormOptions {
  /** Whether an account that has moved may send it: to come back, and for its safety. */
  readonly admitsMoved?: boolean;
  /** Whether one that is disabled, suspended, or about to be deleted may. */
  readonly admitsBarred?: boolean;
  /** Of a multipart form, in which the token stands before them. */
  readonly files?: FileLimits;
  /** Throws a Failure for files that need not be received; returns what checks their size while they arrive. */
  readonly admit?: (context: RawContext<GatewayServices>, sender: FormSender) => SizeCheck;
  /** More than a form has by default. */
  readonly bodyBytesMax?: number;
}

/**
 * Whoever is not signed in any more is redirected to do so, and told that nothing was done. Throws Failure forbidden for a form that this browser did not
 * get from here, loginDisabled for an account that has moved, and tooManyRequests: requests are counted as in the API,
 * by account.
 */
async function signedInForm(
  context: RawContext<GatewayServices>,
  { admitsMoved = false, admitsBarred = false }: FormOptions,
): Promise<SignedInForm | { signIn: Answer }> {
  const { request, services, cause, limitsOf } = context;
  const fields = formFields(context);
  const returnTo = localPath(fields.get('return_to'));
  const browser = browserOf(services, request);
  const account = browser.account ?? (admitsBarred ? browser.barred : undefined);
  const limits = limitsOf(account?.id);
  // An upload was counted before it was received.
  if (context.form === undefined) limits.takeRequest();
  if (account === undefined) {
    return { signIn: redirect(`/auth/sign_in?return_to=${encodeURIComponent(returnTo)}&unsent=1`, 303) };
  }
  if (lacksTwoFactor(services, account) && !request.url.startsWith('/web/security/'))
    return { signIn: redirect(twoFactorPath, 303) };
  const { formSecret } = await secretsOf(services);
  demandFormToken(formSecret, browser, request, fields.get('form_token'));
  if (account.profile.movedTo !== undefined && !admitsMoved)
    throw new Failure('loginDisabled', { reason: 'accountMoved' });
  const caller: AccountCaller = { kind: 'account', accountId: account.id, limits, cause, address: () => request.ip };
  return { visit: { ...(await visitOf(context)), account }, account, caller, services, fields, returnTo };
}

/** Nothing is stored of the files of a form that its browser did not get from here. Throws Failure tooManyRequests. */
async function admitFiles(context: RawContext<GatewayServices>, admit: FormOptions['admit']): Promise<UploadChecks> {
  const { request, services, limitsOf } = context;
  const browser = browserOf(services, request);
  const limits = limitsOf(browser.account?.id);
  limits.takeRequest();
  const size = browser.account && admit?.(context, { accountId: browser.account.id, limits });
  const { formSecret } = await secretsOf(services);
  const form = (parameters: ParameterTree) => {
    if (browser.account === undefined) throw new Failure('tokenRequired');
    demandFormToken(formSecret, browser, request, new Fields(parameters).get('form_token'));
  };
  return { form, size };
}

/** Of a page that was made for another session: it leads back to itself. Any other error is thrown. */
function expiredAnswer(context: RawContext<GatewayServices>, error: unknown): { expired: Answer } {
  const failure = asFailure(error);
  if (failure.reason !== 'formExpired') throw error;
  const returnTo = localPath(formFields(context).get('return_to'));
  return { expired: problemAnswer(visitWithoutForms(context), failure, returnTo) };
}

/** Handles a form: `run` answers signed-in visitors, others are redirected to sign in. */
export function formRoute(
  path: string,
  run: (form: SignedInForm, context: RawContext<GatewayServices>) => Promise<Answer>,
  options: FormOptions = {},
): RawRoute<GatewayServices> {
  const { files, admit, bodyBytesMax = webLimits.formBytesMax } = options;
  return rawRoute({
    method: 'POST',
    path,
    bodyBytesMax,
    ...(files !== undefined && { upload: { files, admit: (context) => admitFiles(context, admit) } }),
    failed: failedPage,
    async handler(context): Promise<Answer> {
      const form = await signedInForm(context, options).catch((error: unknown) => expiredAnswer(context, error));
      if ('expired' in form) return form.expired;
      return 'signIn' in form ? form.signIn : renewed(form.visit, await run(form, context));
    },
  });
}

/** What signs out, or in anew, says itself what becomes of the cookie. */
function renewed({ renewal }: MemberVisit, answer: Answer): Answer {
  const setsCookie = Object.keys(answer.headers ?? {}).some((name) => name.toLowerCase() === 'set-cookie');
  return renewal === undefined || setsCookie ? answer : withHeaders(answer, renewal);
}
