/** GET /api/v1/accounts/verify_credentials (specification 4.2: the authenticated account with `source`). */

import { CredentialAccountEntity } from '../../entities/account.ts';
import { endpoint } from '../../route.ts';
import { credentialsAnswer } from './credentials-answer.ts';

export const verifyCredentials = endpoint({
  method: 'GET',
  path: '/api/v1/accounts/verify_credentials',
  authentication: 'user',
  scopes: ['profile', 'read:accounts'],
  summary: 'Returns the account of the user with `source`.',
  answer: CredentialAccountEntity,
  handler({ services, grant }) {
    return credentialsAnswer(services, grant);
  },
});
