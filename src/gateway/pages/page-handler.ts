/** Serves a page: creates the visit, and renders failures as pages too. */
import type { LocalAccount } from '../../actors/account/profile/logins.queries.ts';
import { lacksTwoFactor } from '../../operations/two-factor/required.ts';
import { asFailure, Failure } from '../../runtime/errors.ts';
import type { GatewayServices } from '../gateway-services.ts';
import { type Answer, redirect, withHeaders } from '../http/answers.ts';
import type { RawContext } from '../http/context.ts';
import { statusOf } from '../http/failures.ts';
import type { RateLimitClass } from '../http/rate-limits.ts';
import type { IncomingRequest } from '../http/request.ts';
import { type RawRoute, rawRoute, type StaffDemand } from '../route.ts';
import { pathOfBarred, signInPath } from './parts/links.ts';
import { problemAnswer } from './problem-page.ts';
import { type MemberVisit, memberOf, type Visit, visitOf, visitWithoutForms } from './visit.ts';

type Context = RawContext<GatewayServices>;

/** Answers with the page of `show`, or with the page of the Failure that it throws. Rejects for unexpected errors. */
export function pageHandler(
  show: (visit: Visit, context: Context) => Answer | Promise<Answer>,
): (context: Context) => Promise<Answer> {
  return async (context) => {
    try {
      const visit = await visitOf(context);
      const { account, services } = visit;
      if (account !== undefined && lacksTwoFactor(services, account) && !isSettingUp(context.request))
        return redirect(twoFactorPath, 303);
      const answer = await show(visit, context);
      return visit.renewal === undefined ? answer : withHeaders(answer, visit.renewal);
    } catch (error) {
      const failure = asFailure(error);
      if (statusOf(failure) >= 500) throw error;
      return problemAnswer(visitWithoutForms(context), failure);
    }
  };
}

/** Where whoever lacks two-factor authentication is sent. */
export const twoFactorPath = '/settings/security?done=required';

function isSettingUp({ url }: IncomingRequest): boolean {
  return /^\/settings\/security(?:[/?]|$)/.test(url);
}

/** A page for signed-in visitors; others are redirected to sign in. */
export function memberPage(show: (visit: MemberVisit, context: Context) => Answer | Promise<Answer>) {
  return pageHandler((visit, context) => {
    const member = memberOf(visit);
    if (member !== undefined) return show(member, context);
    return redirect(visit.barred === undefined ? signInPath(visit) : pathOfBarred(visit.barred), 303);
  });
}

/** The same, also for an account that is disabled, suspended, or about to be deleted. */
export function barredPage(show: (visit: Visit, account: LocalAccount, context: Context) => Answer | Promise<Answer>) {
  return pageHandler((visit, context) => {
    const account = visit.account ?? visit.barred;
    return account === undefined ? redirect(signInPath(visit), 303) : show(visit, account, context);
  });
}

export interface PageHandler {
  (context: Context): Promise<Answer>;
  /** Of a page of staff. */
  readonly demands?: StaffDemand;
}

export function pageRoute(path: string, handler: PageHandler, rateLimit?: RateLimitClass): RawRoute<GatewayServices> {
  const limit = rateLimit === undefined ? {} : { rateLimit };
  const { demands } = handler;
  return rawRoute({
    ...{ method: 'GET', path, failed: failedPage, handler, ...limit },
    ...(demands !== undefined && { demands }),
  });
}

/** The page of a Failure, for routes: of a request refused before its handler, and of unexpected errors. */
export function failedPage(failure: Failure, request: IncomingRequest, services: GatewayServices): Answer {
  return problemAnswer(visitWithoutForms({ request, services }), failure);
}

/** For unknown paths. */
export const notFoundPage = pageHandler(() => {
  throw new Failure('notFound');
});
