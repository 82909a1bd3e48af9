/** POST /api/v1/accounts: creates an account, and a token for it with the scopes of the requesting token. */

import { z } from 'zod';
import { tokenOfId } from '../../../actors/session/session.queries.ts';
import { issueToken } from '../../../operations/applications/issue-token.ts';
import { registerAccount } from '../../../operations/registration/register-account.ts';
import { Failure } from '../../../runtime/errors.ts';
import { TokenEntity } from '../../entities/oauth.ts';
import { boolean, text } from '../../http/parameter-types.ts';
import { tokenAnswer } from '../../oauth/token-answer.ts';
import { endpoint } from '../../route.ts';

const parameters = z.object({
  username: text,
  email: text,
  password: text,
  agreement: boolean,
  locale: text,
  reason: text,
  invite_code: text,
});

export const postAccounts = endpoint({
  method: 'POST',
  path: '/api/v1/accounts',
  authentication: 'app',
  scopes: ['write:accounts'],
  parameters,
  summary: 'Signs up a new account.',
  answer: TokenEntity,
  async handler(context, given) {
    const { services, grant } = context;
    const token = tokenOfId(services.snapshots, grant.tokenId);
    if (token === undefined) throw new Failure('tokenInvalid');
    const { accountId } = await registerAccount(context, {
      username: given.username ?? '',
      email: given.email ?? '',
      password: given.password ?? '',
      agreement: given.agreement ?? false,
      locale: given.locale === '' ? undefined : given.locale?.slice(0, 8),
      reason: given.reason === '' ? undefined : given.reason,
      inviteCode: given.invite_code === '' ? undefined : given.invite_code,
      applicationId: token.applicationId,
      userAgent: context.request.header('user-agent'),
    });
    const { clientId, applicationId, scopes, dialect } = token;
    return tokenAnswer(await issueToken(services, { clientId, applicationId, scopes, dialect, accountId }));
  },
});
