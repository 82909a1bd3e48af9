/** POST /oauth/token (RFC 6749 sections 4.1.3, 4.3 and 4.4; RFC 7636 section 4.5). */

import { z } from 'zod';
import type { RegisteredApplication } from '../../actors/session/session.queries.ts';
import { dialectOfToken } from '../../operations/applications/dialects.ts';
import { exchangeCode } from '../../operations/applications/exchange-code.ts';
import { issueToken, type NewToken } from '../../operations/applications/issue-token.ts';
import { requestedScopes } from '../../operations/applications/requested-scopes.ts';
import { signIn } from '../../operations/registration/sign-in.ts';
import { sourceOf } from '../../operations/registration/sign-in-source.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Services } from '../../services/services.ts';
import { TokenEntity } from '../entities/oauth.ts';
import type { Answer } from '../http/answers.ts';
import type { OpenContext } from '../http/context.ts';
import { statusOf, textOf } from '../http/failures.ts';
import { text } from '../http/parameter-types.ts';
import { endpoint } from '../route.ts';
import { authenticatedApplication } from './client-credentials.ts';
import { tokenAnswer } from './token-answer.ts';

const parameters = z.object({
  grant_type: text,
  client_id: text,
  client_secret: text,
  code: text,
  redirect_uri: text,
  code_verifier: text,
  scope: text,
  username: text,
  password: text,
});
type Parameters = z.output<typeof parameters>;
type Context = OpenContext<Services>;

export const postToken = endpoint({
  method: 'POST',
  path: '/oauth/token',
  authentication: 'none',
  rateLimit: 'token',
  failureStyle: 'oauth',
  parameters,
  summary: 'Exchanges an authorization code for a token, or issues a token for the application itself.',
  answer: TokenEntity,
  async handler(context, given): Promise<Answer> {
    if (!given.grant_type) throw missing('grant_type');
    return tokenAnswer(await tokenFor(context, given));
  },
});

function tokenFor(context: Context, given: Parameters): Promise<NewToken> {
  const application = () => authenticatedApplication(context.services.snapshots, context.request, given);
  switch (given.grant_type) {
    case 'authorization_code':
      return tokenOfCode(context, application(), given);
    case 'client_credentials':
      return issueToken(context.services, rightsOf(application(), given.scope));
    case 'password':
      if (context.services.options.oauthPasswordGrant) return signInWithPassword(context, application(), given);
  }
  throw new Failure('unsupportedGrantType', { text: 'This grant type is not one that the server gives tokens for.' });
}

/** Throws Failure invalidScope. */
function rightsOf(application: RegisteredApplication, scope: string | undefined) {
  const scopes = requestedScopes(scope, application.scopes);
  const { clientId, id: applicationId } = application;
  return { clientId, applicationId, scopes, dialect: dialectOfToken(application, scopes) };
}

function tokenOfCode(context: Context, { clientId }: RegisteredApplication, given: Parameters): Promise<NewToken> {
  const { code, redirect_uri: redirectUri, code_verifier: verifier } = given;
  if (!code) throw missing('code');
  if (!redirectUri) throw missing('redirect_uri');
  const userAgent = context.request.header('user-agent');
  return exchangeCode(context, { clientId, code, redirectUri, verifier: verifier || undefined, userAgent });
}

async function signInWithPassword(
  context: Context,
  application: RegisteredApplication,
  { username, password, scope }: Parameters,
): Promise<NewToken> {
  if (!username) throw missing('username');
  if (!password) throw missing('password');
  const rights = rightsOf(application, scope);
  const userAgent = context.request.header('user-agent');
  const signedIn = await signIn(context, { email: username, password, userAgent }).catch(explainSignIn);
  // There is no second step here (behaviour of the Mastodon API).
  if (signedIn.kind === 'secondStep')
    throw new Failure('invalidGrant', { text: 'Accounts with two-factor authentication sign in at /oauth/authorize.' });
  const source = sourceOf(context, 'password', userAgent);
  return issueToken(context.services, { ...rights, accountId: signedIn.account.id, source });
}

function missing(name: string): Failure {
  return new Failure('invalidRequest', { text: `The parameter ${name} is missing.` });
}

/** RFC 6749 section 5.2: wrong credentials of the resource owner are an invalid grant, and so is a disabled login. */
function explainSignIn(error: unknown): never {
  const refused = error instanceof Failure && (error.code === 'credentialsInvalid' || statusOf(error) === 403);
  throw refused ? new Failure('invalidGrant', { text: textOf(error) }) : error;
}
