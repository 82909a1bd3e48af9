/** GET /api/v1/apps/verify_credentials (specification 4.9): the application of a token. */
import { applicationOfToken } from '../../../actors/session/session.queries.ts';
import { Failure } from '../../../runtime/errors.ts';
import { json } from '../../http/answers.ts';
import { endpoint } from '../../route.ts';
import type { Services } from '../../services.ts';
import { applicationEntity } from '../entities/application.ts';
import { withSecrets } from '../instance/secrets.ts';

export const verifyAppCredentials = endpoint<Services, 'app'>({
  method: 'GET',
  path: '/api/v1/apps/verify_credentials',
  authentication: 'app',
  summary: 'The application that the token was given to.',
  handler({ services, grant }) {
    const application = applicationOfToken(services.snapshots, grant.tokenId);
    if (application === undefined) throw new Failure('tokenInvalid');
    return withSecrets(services, ({ vapidPublicKey }) => json(applicationEntity(application, vapidPublicKey)));
  },
});
