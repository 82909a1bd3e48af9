/** GET /api/v1/apps/verify_credentials (specification 4.9): the application of a token. */
import { applicationOfToken } from '../../../actors/session/session.queries.ts';
import { Failure } from '../../../runtime/errors.ts';
import { withSecrets } from '../../../services/instance-secrets.ts';
import { ApplicationEntity, applicationEntity } from '../../entities/application.ts';
import { json } from '../../http/answers.ts';
import { endpoint } from '../../route.ts';

export const verifyAppCredentials = endpoint({
  method: 'GET',
  path: '/api/v1/apps/verify_credentials',
  authentication: 'app',
  summary: 'Returns the application of the token.',
  answer: ApplicationEntity,
  handler({ services, grant }) {
    const application = applicationOfToken(services.snapshots, grant.tokenId);
    if (application === undefined) throw new Failure('tokenInvalid');
    return withSecrets(services, ({ vapidPublicKey }) => json(applicationEntity(application, vapidPublicKey)));
  },
});
