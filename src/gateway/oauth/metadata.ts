/** GET /.well-known/oauth-authorization-server (RFC 8414). Without it clients assume a server without PKCE. */

import { knownScopes } from '../../operations/applications/scopes.ts';
import { AuthorizationServerEntity } from '../entities/oauth.ts';
import { json } from '../http/answers.ts';
import { endpoint } from '../route.ts';

export const authorizationServerMetadata = endpoint({
  method: 'GET',
  path: '/.well-known/oauth-authorization-server',
  authentication: 'optional',
  summary: 'Returns the metadata of the authorization server (RFC 8414).',
  answer: AuthorizationServerEntity,
  handler({ services, request }) {
    // RFC 8414 section 3.3: the issuer must match the address that the client used.
    const { origin } = request;
    const grants = ['authorization_code', 'client_credentials'];
    return json({
      issuer: `${origin}/`,
      service_documentation: 'https://docs.joinmastodon.org/',
      authorization_endpoint: `${origin}/oauth/authorize`,
      token_endpoint: `${origin}/oauth/token`,
      app_registration_endpoint: `${origin}/api/v1/apps`,
      revocation_endpoint: `${origin}/oauth/revoke`,
      userinfo_endpoint: `${origin}/oauth/userinfo`,
      scopes_supported: [...knownScopes],
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      code_challenge_methods_supported: ['S256'],
      grant_types_supported: services.options.oauthPasswordGrant ? [...grants, 'password'] : grants,
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    });
  },
});
