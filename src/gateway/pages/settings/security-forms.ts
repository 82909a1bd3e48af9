/** Handles the forms of /settings/security. */
import { disableOwnTwoFactor, renewRecoveryCodes } from '../../../operations/two-factor/manage-totp.ts';
import { asFailure } from '../../../runtime/errors.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { type Answer, redirect } from '../../http/answers.ts';
import type { RawContext } from '../../http/context.ts';
import { statusOf } from '../../http/failures.ts';
import type { RawRoute } from '../../route.ts';
import { failureSentence } from '../failure-sentence.ts';
import { proofIn } from '../parts/owner-fields.ts';
import { formRoute, type SignedInForm } from '../signed-in-form.ts';
import { type SecurityForm, securityAnswer } from './security-page.ts';

type Run = (form: SignedInForm, context: RawContext<GatewayServices>) => Promise<Answer>;

/** A wrong password or code shows the page again, and says so at the form. */
function securityForm(path: string, name: SecurityForm, run: Run) {
  return formRoute(
    path,
    async (form, context) => {
      try {
        return await run(form, context);
      } catch (error) {
        const failure = asFailure(error);
        if (statusOf(failure) !== 401) throw failure;
        const { visit } = form;
        const sentence = failureSentence(visit.words, failure);
        return securityAnswer(visit, context, { refused: { form: name, sentence } });
      }
    },
    { admitsMoved: true },
  );
}

export const securityForms: readonly RawRoute<GatewayServices>[] = [
  securityForm('/web/security/recovery-codes', 'renew', async (form, context) => {
    const { recoveryCodes } = await renewRecoveryCodes(form, proofIn(form.fields, context));
    return securityAnswer(form.visit, context, { recoveryCodes });
  }),
  securityForm('/web/security/two-factor/disable', 'disable', async (form, context) => {
    await disableOwnTwoFactor(form, proofIn(form.fields, context));
    return redirect('/settings/security?done=disabled', 303);
  }),
];
