/**
 * The shapes of the authorization server's answers: tokens (RFC 6749), user info (OpenID Connect), metadata (RFC 8414).
 */
import { z } from 'zod';
import { count, text, url } from './values.ts';

export const TokenEntity = z
  .strictObject({
    access_token: text.min(1),
    token_type: z.literal('Bearer'),
    scope: text.min(1),
    created_at: count,
  })
  .meta({ id: 'Token' });

export const UserInfoEntity = z.strictObject({
  iss: url,
  sub: url,
  name: text.min(1),
  preferred_username: text.min(1),
  profile: url,
  picture: url,
});
export const AuthorizationServerEntity = z.strictObject({
  issuer: url,
  service_documentation: url,
  authorization_endpoint: url,
  token_endpoint: url,
  app_registration_endpoint: url,
  revocation_endpoint: url,
  userinfo_endpoint: url,
  scopes_supported: z.array(text),
  response_types_supported: z.array(text),
  response_modes_supported: z.array(text),
  code_challenge_methods_supported: z.array(text),
  grant_types_supported: z.array(text),
  token_endpoint_auth_methods_supported: z.array(text),
});
