/** Verifies that a submitted form came from a page of this server, in the browser that loaded it (CSRF protection). */

import type { AccountCaller, VisitorCaller } from '../../operations/caller.ts';
import type { OperationContext } from '../../operations/operation.ts';
import type { Id } from '../../runtime/ids.ts';
import { secretsOf } from '../../services/instance-secrets.ts';
import type { Services } from '../../services/services.ts';
import type { RawContext } from '../http/context.ts';
import { type Browser, browserOf, demandFormToken } from './browser.ts';
import { type Fields, formFields } from './forms.ts';

export interface OwnForm {
  readonly fields: Fields;
  readonly browser: Browser;
  /** For showing the form again. */
  readonly formSecret: string;
}

/** Throws Failure forbidden for a form that this browser did not get from here, and what `formFields` throws. */
export async function ownForm(context: RawContext<Services>): Promise<OwnForm> {
  const { request, services } = context;
  const fields = formFields(context);
  const browser = browserOf(services, request);
  const { formSecret } = await secretsOf(services);
  demandFormToken(formSecret, browser, request, fields.get('form_token'));
  return { fields, browser, formSecret };
}

/** For operations of visitors who are not signed in yet: limits count their address. */
export function visitorContext({
  services,
  cause,
  limitsOf,
  request,
}: RawContext<Services>): OperationContext<VisitorCaller> {
  const address = () => request.ip;
  return { caller: { kind: 'visitor', accountId: undefined, limits: limitsOf(undefined), cause, address }, services };
}

/** The same for a signed-in account. */
export function accountContext(
  { services, cause, limitsOf, request }: RawContext<Services>,
  accountId: Id,
): OperationContext<AccountCaller> {
  const address = () => request.ip;
  return { caller: { kind: 'account', accountId, limits: limitsOf(accountId), cause, address }, services };
}
