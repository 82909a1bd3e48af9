/** POST /oauth/revoke (RFC 7009): `{}` however often; 403 for a token of another application, or none. */

import { z } from 'zod';
import { digestOfSecret, Session, tokenKey } from '../../actors/session/session.messages.ts';
import { tokenOfId } from '../../actors/session/session.queries.ts';
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
  summary: 'Ends a token of the application that asks.',
  answer: EmptyEntity,
  async handler({ services, request }, given) {
    const application = owner(() => authenticatedApplication(services.snapshots, request, given));
    if (!given.token) throw unauthorized();
    const tokenId = digestOfSecret(given.token);
    const token = tokenOfId(services.snapshots, tokenId);
    if (token === undefined) return empty();
    if (token.clientId !== application.clientId) throw unauthorized();
    await services.client.call(Session.revokeToken.to(tokenKey(tokenId), {}), 'system');
    await services.barrier.appliedEverywhere();
    return empty();
  },
});

/** Who cannot say which application asks may not end any token. */
function owner<Application>(find: () => Application): Application {
  try {
    return find();
  } catch (error) {
    throw error instanceof Failure && error.code === 'invalidClient' ? unauthorized() : error;
  }
}

function unauthorized(): Failure {
  return new Failure('unauthorizedClient', { text: 'You are not authorized to revoke this token' });
}
