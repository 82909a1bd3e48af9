/**
 * /settings/security/app: sets up codes of an authenticator app. The offered secret travels sealed in the form that confirms
 * it, so that nothing is stored of one that no app has taken.
 */
import { enableTotp } from '../../../operations/two-factor/manage-totp.ts';
import { offerTotp } from '../../../operations/two-factor/totp.ts';
import { asFailure } from '../../../runtime/errors.ts';
import { html } from '../../../services/words/html.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import type { Answer } from '../../http/answers.ts';
import type { RawContext } from '../../http/context.ts';
import { statusOf } from '../../http/failures.ts';
import { alert, formField, hidden } from '../../oauth/forms.ts';
import { failureSentence } from '../failure-sentence.ts';
import { memberPage } from '../page-handler.ts';
import { siteAnswer } from '../parts/frame.ts';
import { ownerFields, ownerForm, proofIn } from '../parts/owner-fields.ts';
import { passkeyScript } from '../parts/passkeys.ts';
import { qrCode } from '../parts/qr-code.ts';
import { formRoute } from '../signed-in-form.ts';
import type { MemberVisit } from '../visit.ts';
import { securityAnswer } from './security-page.ts';
import { settingsHead } from './settings-head.ts';

export const appPage = memberPage((visit, context) => appAnswer(visit, context));

async function appAnswer(
  visit: MemberVisit,
  context: RawContext<GatewayServices>,
  earlier?: string,
  problem?: string,
): Promise<Answer> {
  const { app } = visit.words.security;
  const form = await ownerForm(visit, context);
  const { account, services } = visit;
  const { sealed, secret, uri } = await offerTotp(services, account.id, account.profile.username, earlier);
  const main = html`${settingsHead(visit, app.title)}
<form class="card plain settings" method="post" action="/web/security/app">
<p>${app.scan}</p>
${await qrCode(uri)}
<p>${app.type}</p>
<p><code class="secret">${secret.replaceAll(/.{4}(?=.)/g, '$& ')}</code></p>
${alert(problem)}
${hidden('sealed', sealed)}
${formField({
  name: 'app_code',
  label: app.code,
  hint: app.codeHint,
  control: (described) =>
    html`<input name="app_code" inputmode="numeric" autocomplete="one-time-code" required${described}>`,
})}
${ownerFields(form, 'app')}
<button type="submit">${app.confirm}</button>
${form.passkeyButton}
</form>`;
  const status = problem === undefined ? 200 : 422;
  return siteAnswer(visit, {
    title: app.title,
    main,
    status,
    current: 'settings',
    isIndexed: false,
    head: form.asked && passkeyScript,
  });
}

export const enableAppForm = formRoute(
  '/web/security/app',
  async (form, context) => {
    const { fields, visit } = form;
    const sealed = fields.get('sealed') ?? '';
    try {
      const wish = { ...proofIn(fields, context), sealed, appCode: fields.get('app_code') ?? '' };
      const { recoveryCodes } = await enableTotp(form, wish);
      return securityAnswer(visit, context, { recoveryCodes, done: visit.words.security.done.enabled });
    } catch (error) {
      const failure = asFailure(error);
      if (statusOf(failure) !== 401) throw failure;
      return appAnswer(visit, context, sealed, failureSentence(visit.words, failure));
    }
  },
  { admitsMoved: true },
);
