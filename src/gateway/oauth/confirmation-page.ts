/**
 * /auth/confirmation: where the link leads that confirms an address. A button confirms it: programs that look at links of
 * mails do not.
 */
import { findLocalAccount, loginStateOf } from '../../actors/account/profile/logins.queries.ts';
import { confirmEmail } from '../../operations/registration/confirm-email.ts';
import { secretsOf } from '../../services/instance-secrets.ts';
import type { Services } from '../../services/services.ts';
import { html, pageAnswer } from '../pages/page.ts';
import { wordsFor } from '../pages/words-for.ts';
import { rawRoute } from '../route.ts';
import { browserOf, formToken } from './browser.ts';
import { failedPage, hidden, queryFields } from './forms.ts';
import { oauthLimits } from './limits.ts';
import { ownForm, visitorContext } from './own-form.ts';

const path = '/auth/confirmation';

export const confirmationPage = rawRoute<Services>({
  method: 'GET',
  path,
  failed: failedPage,
  async handler({ request, services }) {
    const words = wordsFor(services, request, undefined);
    const { confirmation } = words.signing;
    const browser = browserOf(services, request);
    const { formSecret } = await secretsOf(services);
    const body = html`<p>${confirmation.introduction}</p>
<form method="post" action="${path}">
${hidden('form_token', formToken(formSecret, browser))}
${hidden('token', queryFields(request.query).get('token') ?? '')}
<button type="submit">${confirmation.confirm}</button>
</form>`;
    return pageAnswer({ words, title: confirmation.title, body }, { headers: browser.cookie });
  },
});

export const postConfirmation = rawRoute<Services>({
  method: 'POST',
  path,
  bodyBytesMax: oauthLimits.formBytesMax,
  failed: failedPage,
  async handler(context) {
    const { fields } = await ownForm(context);
    const { accountId } = await confirmEmail(visitorContext(context), { token: fields.get('token') ?? '' });
    const { services, request } = context;
    const words = wordsFor(services, request, undefined);
    const { signing, site } = words;
    const account = findLocalAccount(services.snapshots, accountId);
    const isPending = account !== undefined && loginStateOf(account) === 'pending';
    const body = html`<p>${signing.confirmation.done}${isPending && html` ${signing.confirmation.thenStaff}`}</p>
<p>${
      isPending
        ? html`<a href="/">${site.problem.goHome}</a>`
        : html`<a class="button" href="/auth/sign_in">${signing.signIn}</a>`
    }</p>`;
    return pageAnswer({ words, title: signing.confirmation.title, body });
  },
});
