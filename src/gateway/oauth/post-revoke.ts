/** POST /oauth/revoke (RFC 7009): `{}` however often; 403 for a token of another application, or of none. */

import { z } from 'zod';
import { revokeToken } from '../../operations/applications/revoke-token.ts';
import { Failure } from '../../runtime/errors.ts';
import { EmptyEntity } from '../entities/values.ts';
import { empty } from '../http/answers.ts';
import { text } from '../http/parameter-types.ts';
import { endpoint } from '../route.ts';
import { authenticatedApplication } from './client-credentials.ts';

const parameters = z.object({ client_id: text, client_secret: text, token: text });

export const postRevoke = endpoint({
  method: 'POST',
  path: '/oauth/revoke',
  authentication: 'none',
  rateLimit: 'token',
  failureStyle: 'oauth',
  parameters,
  summary: 'Revokes a token of the requesting application.',
  answer: EmptyEntity,
  async handler(context, given) {
    const { services, request } = context;
    try {
      const { clientId } = authenticatedApplication(services.snapshots, request, given);
      if (!given.token) throw unauthorized();
      await revokeToken(context, { clientId, token: given.token });
      return empty();
    } catch (error) {
      throw isUnauthorized(error) ? unauthorized() : error;
    }
  },
});

/** A request that does not authenticate an application may not revoke any token. */
function isUnauthorized(error: unknown): boolean {
  return error instanceof Failure && (error.code === 'invalidClient' || error.code === 'unauthorizedClient');
}

function unauthorized(): Failure {
  return new Failure('unauthorizedClient', { text: 'You are not authorized to revoke this token' });
}
