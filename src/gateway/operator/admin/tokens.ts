/** Tokens that the operator draws for an account, for programs of their own. */
import { applicationKey, digestOfSecret, Session } from '../../../actors/session/session.messages.ts';
import { issueToken } from '../../../operations/applications/issue-token.ts';
import { outOfBand, splitScopes } from '../../../operations/applications/register-application.ts';
import { knownScopes } from '../../../operations/applications/scopes.ts';
import { drawSecret } from '../../../services/secrets.ts';
import type { Services } from '../../../services/services.ts';
import { accountOf, refusal } from './accounts.ts';
import type { RequestOf } from './requests.ts';

/** The application that such tokens belong to. Nobody knows its secret. */
const clientId = 'command-line';

/** One line, the token. */
export async function createToken(services: Services, request: RequestOf<'tokens create'>): Promise<string[]> {
  const account = accountOf(services, request.username);
  const scopes = splitScopes(request.scopes);
  if (scopes.length === 0) throw refusal('At least one scope must be given, as in --scopes "read write".');
  const unknown = scopes.filter((scope) => !knownScopes.has(scope));
  if (unknown.length > 0) throw refusal(`There is no scope ${unknown.join(', ')}.`);
  const dialect = request.dialect ?? services.options.dialect;
  const { applicationId } = await services.client.call(
    Session.registerApplication.to(applicationKey(clientId), {
      clientId,
      secretDigest: digestOfSecret(drawSecret()),
      name: 'Command line',
      redirectUris: [outOfBand],
      scopes: [...knownScopes],
      dialect: services.options.dialect,
      permanent: true,
    }),
    'system',
  );
  const { token } = await issueToken(services, { clientId, applicationId, accountId: account.id, scopes, dialect });
  return [token];
}
