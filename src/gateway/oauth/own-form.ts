/** A form of ours that came back, from the browser that had asked for it. */

import type { VisitorCaller } from '../../operations/caller.ts';
import type { OperationContext } from '../../operations/operation.ts';
import { secretsOf } from '../../services/instance-secrets.ts';
import type { Services } from '../../services/services.ts';
import type { RawContext } from '../http/context.ts';
import { type Browser, browserOf, demandFormToken } from './browser.ts';
import { type Fields, formFields } from './forms.ts';

export interface OwnForm {
  readonly fields: Fields;
  readonly browser: Browser;
  /** For the form that is shown again. */
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

/** Operations for somebody who is not signed in yet are asked for with it: limits count their address. */
export function visitorContext({ services, limitsOf }: RawContext<Services>): OperationContext<VisitorCaller> {
  return { caller: { kind: 'visitor', accountId: undefined, limits: limitsOf(undefined) }, services };
}
