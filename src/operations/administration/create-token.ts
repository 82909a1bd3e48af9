/** Creates an access token for an account, for the operator's own programs. */
import { z } from 'zod';
import { applicationKey, Dialect, digestOfSecret, Session } from '../../actors/session/session.messages.ts';
import { Failure } from '../../runtime/errors.ts';
import { drawSecret } from '../../services/secrets.ts';
import { dialectOfApplication } from '../applications/dialects.ts';
import { issueToken } from '../applications/issue-token.ts';
import { outOfBand, splitScopes } from '../applications/register-application.ts';
import { knownScopes } from '../applications/scopes.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { namedAccount } from './local-account.ts';

/** The application of these tokens. Nobody knows its secret. */
const clientId = 'command-line';
const name = 'Command line';

export const createToken = operation({
  input: z.object({
    username: z.string(),
    /** Separated by blanks. */
    scopes: z.string(),
    dialect: Dialect.optional(),
  }),
  permission: 'operateMachine',
  audit: 'createToken',
  async run({ caller, services, audit }, given): Promise<{ token: string }> {
    const account = namedAccount(services, given.username);
    const scopes = splitScopes(given.scopes);
    if (scopes.length === 0) throw refusal('At least one scope must be given, as in --scopes "read write".');
    const unknown = scopes.filter((scope) => !knownScopes.has(scope));
    if (unknown.length > 0) throw refusal(`There is no scope ${unknown.join(', ')}.`);
    const { dialect } = dialectOfApplication(services.options, { name, scopes, asked: given.dialect });
    const { applicationId } = await services.client.call(
      Session.registerApplication.to(applicationKey(clientId), {
        clientId,
        secretDigest: digestOfSecret(drawSecret()),
        name,
        redirectUris: [outOfBand],
        scopes: [...knownScopes],
        dialect,
        permanent: true,
      }),
      flowOf(caller),
    );
    const rights = { clientId, applicationId, accountId: account.id, scopes, dialect };
    return issueToken(services, { ...rights, audit: { ...audit, name: account.profile.username } });
  },
});

function refusal(sentence: string): Failure {
  return new Failure('validation', { text: sentence });
}
