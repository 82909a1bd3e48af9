/** A form that somebody who is signed in has sent. */
import type { LocalAccount } from '../../actors/account/profile/logins.queries.ts';
import { secretsOf } from '../../services/instance-secrets.ts';
import type { Services } from '../../services/services.ts';
import { type Answer, redirect } from '../http/answers.ts';
import type { RawContext } from '../http/context.ts';
import { browserOf, demandFormToken } from '../oauth/browser.ts';
import { type Fields, formFields, localPath } from '../oauth/forms.ts';
import { type Visit, visitOf } from './visit.ts';

export interface SignedInForm {
  readonly visit: Visit;
  readonly account: LocalAccount;
  readonly fields: Fields;
  /** A path of this server where the person goes on. */
  readonly returnTo: string;
}

/** Throws Failure forbidden for a form that this browser did not get from here. Who is not signed in is sent there. */
export async function signedInForm(context: RawContext<Services>): Promise<SignedInForm | { signIn: Answer }> {
  const { request, services } = context;
  const fields = formFields(context);
  const returnTo = localPath(fields.get('return_to'));
  const browser = browserOf(services, request);
  const { account } = browser;
  if (account === undefined) {
    return { signIn: redirect(`/auth/sign_in?return_to=${encodeURIComponent(returnTo)}`, 303) };
  }
  const { formSecret } = await secretsOf(services);
  demandFormToken(formSecret, browser, request, fields.get('form_token'));
  return { visit: await visitOf(context), account, fields, returnTo };
}
