/**
 * The parameters of /oauth/authorize (RFC 6749 section 4.1.1, RFC 7636 section 4.3). A wrong client or redirect URI is
 * shown to the user and never redirected to; every other error is sent to the client by redirect.
 */
import { applicationOfClient, type RegisteredApplication } from '../../actors/session/session.queries.ts';
import { outOfBand } from '../../operations/applications/register-application.ts';
import { requestedScopes } from '../../operations/applications/requested-scopes.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import { failures, textOf } from '../http/failures.ts';
import type { Fields } from './forms.ts';
import { oauthLimits } from './limits.ts';

export interface AuthorizationRequest {
  readonly application: RegisteredApplication;
  readonly redirectUri: string;
  readonly state: string | undefined;
  readonly scopes: readonly string[];
  /** The S256 challenge of PKCE, where the client uses it. */
  readonly challenge: string | undefined;
}

/** A refused request, whose error is sent to the client. */
export interface RefusedAuthorization {
  readonly application: RegisteredApplication;
  /** A sentence for the user. */
  readonly reason: string;
  /** The complete redirect address of the client. */
  readonly location: string;
}

/** Names of the parameters of a request: its page repeats them in the form. */
export const requestParameters = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
] as const;

const challengePattern = /^[A-Za-z0-9_-]{43}$/;

/** Throws Failure invalidClient or invalidRequest for errors that must not be redirected. */
export function readAuthorizationRequest(reader: Reader, fields: Fields): AuthorizationRequest | RefusedAuthorization {
  const clientId = fields.get('client_id');
  const application = clientId === undefined ? undefined : applicationOfClient(reader, clientId);
  if (application === undefined) {
    throw new Failure('invalidClient', {
      text: 'The application that sent you here is not registered on this server.',
    });
  }
  const redirectUri = fields.get('redirect_uri');
  if (redirectUri === undefined || !application.redirectUris.includes(redirectUri)) {
    throw new Failure('invalidRequest', {
      text: 'The address that the application wants you to be sent back to is not one that it registered.',
    });
  }
  const state = fields.get('state')?.slice(0, oauthLimits.stateCharactersMax);
  const refuse = (error: string, reason: string): RefusedAuthorization => ({
    application,
    reason,
    location: answerLocation(redirectUri, { error, error_description: reason, state }),
  });
  if (fields.get('response_type') !== 'code') {
    return refuse('unsupported_response_type', 'The only response type is code.');
  }
  const challenge = fields.get('code_challenge');
  const method = fields.get('code_challenge_method');
  if (
    (challenge !== undefined || method !== undefined) &&
    (method !== 'S256' || !challengePattern.test(challenge ?? ''))
  ) {
    return refuse('invalid_request', 'The only code challenge method is S256, with a challenge of 43 characters.');
  }
  try {
    const scopes = requestedScopes(fields.get('scope'), application.scopes);
    return { application, redirectUri, state, scopes, challenge };
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'invalidScope') throw error;
    return refuse(failures.invalidScope.text, textOf(error));
  }
}

/** The client's address with the answer in its query. Out-of-band clients get a page of this server. */
export function answerLocation(redirectUri: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const query = new URLSearchParams(given).toString();
  if (redirectUri === outOfBand) return `/oauth/authorize/native?${query}`;
  // As text: the address of an application must stay as registered, whatever its scheme.
  const joint = redirectUri.includes('?') ? (/[?&]$/.test(redirectUri) ? '' : '&') : '?';
  return new URL(`${redirectUri}${joint}${query}`).href;
}
