/**
 * GET, POST and DELETE /oauth/authorize: asks a visitor to sign in, asks the user for consent, and redirects to the
 * client. GET /oauth/authorize/native shows the code to users of clients without a redirect URI.
 */
import { dialectOfToken } from '../../operations/applications/dialects.ts';
import { issueCode } from '../../operations/applications/issue-code.ts';
import { outOfBand } from '../../operations/applications/register-application.ts';
import { Failure } from '../../runtime/errors.ts';
import { secretsOf } from '../../services/instance-secrets.ts';
import type { Services } from '../../services/services.ts';
import type { Words } from '../../services/words/languages.ts';
import { type Answer, redirect } from '../http/answers.ts';
import type { RawContext } from '../http/context.ts';
import { html, pageAnswer } from '../pages/page.ts';
import { linkTo } from '../pages/parts/slots.ts';
import { wordsFor } from '../pages/words-for.ts';
import { rawRoute } from '../route.ts';
import {
  type AuthorizationRequest,
  answerLocation,
  type RefusedAuthorization,
  readAuthorizationRequest,
  requestParameters,
} from './authorization-request.ts';
import { type Browser, browserOf, formToken } from './browser.ts';
import { type Fields, failedPage, hidden, queryFields } from './forms.ts';
import { oauthLimits } from './limits.ts';
import { accountContext, ownForm } from './own-form.ts';
import { describeScope } from './scope-words.ts';
import { signInAnswer } from './sign-in-page.ts';

const falseWords: ReadonlySet<string | undefined> = new Set([undefined, 'false', '0', 'f', 'off']);

export const authorizePage = rawRoute<Services>({
  method: 'GET',
  path: '/oauth/authorize',
  failed: failedPage,
  async handler({ request, services }) {
    const fields = queryFields(request.query);
    const asked = readAuthorizationRequest(services.snapshots, fields);
    const browser = browserOf(services, request);
    const words = wordsFor(services, request, browser.account);
    if ('location' in asked) return refusedAnswer(words, asked);
    const { formSecret } = await secretsOf(services);
    if (browser.account === undefined || !falseWords.has(fields.get('force_login'))) {
      const introduction = html`<p>${words.signing.authorize.asks({ application: html`<strong>${asked.application.name}</strong>` })}</p>`;
      return signInAnswer({ services, words, browser, formSecret, returnTo: addressOf(fields), introduction });
    }
    return consentAnswer({ words, asked, fields, browser, formSecret });
  },
});

/**
 * Anybody may register an application and its address. A user who merely followed a link to this server is not
 * redirected there (RFC 9700, section 4.11.2); one who has answered the form is.
 */
function refusedAnswer(words: Words, { application, reason, location }: RefusedAuthorization): Answer {
  const { cannotBeServed, goBack } = words.signing.authorize;
  const body = html`<p>${cannotBeServed({ application: html`<strong>${application.name}</strong>` })}</p>
<p lang="en">${reason}</p>
<p><a href="${location}" rel="noopener noreferrer nofollow">${goBack}</a></p>`;
  return pageAnswer({ words, title: words.site.problem.other, body }, { status: 400 });
}

/** The request's own address, without the parameters that would ask for signing in again. */
function addressOf(fields: Fields): string {
  const query = new URLSearchParams();
  for (const name of requestParameters) {
    const value = fields.get(name);
    if (value !== undefined) query.set(name, value);
  }
  return `/oauth/authorize?${query}`;
}

interface Consent {
  readonly words: Words;
  readonly asked: AuthorizationRequest;
  readonly fields: Fields;
  readonly browser: Browser;
  readonly formSecret: string;
}

function consentAnswer({ words, asked, fields, browser, formSecret }: Consent): Answer {
  const { authorize } = words.signing;
  const { application, scopes } = asked;
  const { website } = application;
  const named = {
    application: html`<strong>${application.name}</strong>`,
    account: html`<strong>@${browser.account?.profile.username}</strong>`,
  };
  const wants =
    website === undefined
      ? authorize.wants(named)
      : authorize.wantsWithWebsite({
          ...named,
          website: html`<a href="${website}" rel="noopener noreferrer nofollow">${website}</a>`,
        });
  const body = html`<p>${wants}</p>
<ul>${scopes.map((scope) => html`<li>${describeScope(words, scope)}</li>`)}</ul>
<p>${afterwards(words, asked)}</p>
<form method="post" action="/oauth/authorize">
${hidden('form_token', formToken(formSecret, browser))}
${requestParameters.map((name) => hidden(name, fields.get(name)))}
<p class="line"><button type="submit" name="decision" value="authorize">${authorize.authorize}</button>
<button type="submit" name="decision" value="deny" class="quiet">${authorize.deny}</button></p>
</form>
<p>${authorize.notYou({ link: linkTo(`${addressOf(fields)}&force_login=true`) })}</p>`;
  return pageAnswer({ words, title: authorize.title({ application: application.name }), body });
}

function afterwards({ signing }: Words, { redirectUri, application }: AuthorizationRequest): string {
  if (redirectUri === outOfBand) return signing.authorize.thenCode({ application: application.name });
  return signing.authorize.thenSent({ address: redirectUri.split(/[?#]/)[0] ?? '' });
}

const ownAnswer = {
  path: '/oauth/authorize',
  rateLimit: 'token',
  bodyBytesMax: oauthLimits.formBytesMax,
  failed: failedPage,
} as const;

export const postAuthorize = rawRoute<Services>({
  ...ownAnswer,
  method: 'POST',
  handler: (context) => answerClient(context, (fields) => fields.get('decision') === 'authorize'),
});

/** Denies, whatever the form contains. */
export const deleteAuthorize = rawRoute<Services>({
  ...ownAnswer,
  method: 'DELETE',
  handler: (context) => answerClient(context, () => false),
});

async function answerClient(context: RawContext<Services>, isGranted: (fields: Fields) => boolean): Promise<Answer> {
  const { services } = context;
  const { fields, browser } = await ownForm(context);
  const asked = readAuthorizationRequest(services.snapshots, fields);
  if ('location' in asked) return redirect(asked.location);
  if (browser.account === undefined) return redirect(addressOf(fields), 303);
  const { redirectUri, state, application, scopes, challenge } = asked;
  if (!isGranted(fields)) {
    const error = { error: 'access_denied', error_description: 'The person denied the request.', state };
    return redirect(answerLocation(redirectUri, error));
  }
  const { clientId, id: applicationId } = application;
  const rights = { clientId, applicationId, dialect: dialectOfToken(application, scopes), scopes: [...scopes] };
  const { code } = await issueCode(accountContext(context, browser.account.id), { ...rights, redirectUri, challenge });
  return redirect(answerLocation(redirectUri, { code, state }));
}

export const nativeCodePage = rawRoute<Services>({
  method: 'GET',
  path: '/oauth/authorize/native',
  failed: failedPage,
  handler({ request, services }) {
    const words = wordsFor(services, request, browserOf(services, request).account);
    const { authorize } = words.signing;
    const fields = queryFields(request.query);
    const code = fields.get('code');
    if (code !== undefined && /^[A-Za-z0-9_-]+$/.test(code)) {
      const body = html`<p>${authorize.codeHint}</p>
<code>${code}</code>`;
      return pageAnswer({ words, title: authorize.code, body });
    }
    if (fields.get('error') === undefined) throw new Failure('notFound');
    const body = html`<p>${authorize.notAuthorizedHint}</p>`;
    return pageAnswer({ words, title: authorize.notAuthorized, body });
  },
});
