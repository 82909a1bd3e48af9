/**
 * How each Failure is presented to clients: its HTTP status and a text that is safe to show. Texts that Mastodon
 * clients compare literally are those of the Mastodon API (specification section 7 leaves them open).
 */
import type {} from '../../actors/failures.ts';
import type {} from '../../federation/failures.ts';
import type {} from '../../operations/failures.ts';
import type { Failure, FailureCode } from '../../runtime/errors.ts';

declare module '../../runtime/errors.ts' {
  interface FailureReasons {
    page: 'formExpired' | 'accountMoved' | 'signUpClosed' | 'onlySomeMayQuote' | 'nobodyMayQuote' | 'noAnswerChosen';
  }
  interface FailureCodes {
    request:
      | 'badRequest'
      | 'malformedJson'
      | 'parameterMissing'
      | 'unknownChannel'
      | 'notAcceptable'
      | 'methodNotAllowed'
      | 'bodyTooLarge'
      | 'mediaTypeUnsupported'
      | 'contentCoded'
      | 'tooManyRequests';
    token: 'tokenRequired' | 'userRequired' | 'scopeMissing' | 'streamScopeMissing';
  }
}

interface Words {
  readonly status: number;
  readonly text: string;
  /** Its error code registered by OAuth. */
  readonly oauth?: string;
}

function oauth<Code extends string>(status: number, code: Code) {
  return { status, text: code, oauth: code } as const;
}

const tryAgain = 'There was a temporary problem serving your request, please try again';

export const failures = {
  badRequest: { status: 400, text: 'The request could not be understood' },
  malformedJson: { status: 400, text: 'The body is not valid JSON' },
  parameterMissing: { status: 400, text: 'A required parameter is missing' },
  unknownChannel: { status: 400, text: 'Unknown channel requested' },
  invalidRequest: oauth(400, 'invalid_request'),
  invalidGrant: oauth(400, 'invalid_grant'),
  invalidScope: oauth(400, 'invalid_scope'),
  unsupportedGrantType: oauth(400, 'unsupported_grant_type'),
  invalidClient: oauth(401, 'invalid_client'),
  tokenInvalid: { status: 401, text: 'The access token is invalid' },
  tokenRequired: { status: 401, text: 'This API requires an authenticated user' },
  streamScopeMissing: { status: 401, text: 'This action is outside the authorized scopes' },
  signatureInvalid: { status: 401, text: 'The request is not signed, or its signature is invalid' },
  credentialsInvalid: { status: 401, text: 'The e-mail address or the password is wrong' },
  codeInvalid: { status: 401, text: 'The two-factor code is wrong' },
  passkeyRefused: { status: 401, text: 'The passkey was not accepted' },
  signInExpired: { status: 401, text: 'The sign-in took too long, please begin again' },
  loginDisabled: { status: 403, text: 'Your login is currently disabled' },
  loginUnconfirmed: { status: 403, text: 'Your login is missing a confirmed e-mail address' },
  loginPending: { status: 403, text: 'Your login is currently pending approval' },
  twoFactorRequired: { status: 403, text: 'Your role requires two-factor authentication' },
  forbidden: { status: 403, text: 'This action is not allowed' },
  scopeMissing: { status: 403, text: 'This action is outside the authorized scopes' },
  unauthorizedClient: oauth(403, 'unauthorized_client'),
  notFound: { status: 404, text: 'Record not found' },
  methodNotAllowed: { status: 405, text: 'This path does not support that method' },
  notAcceptable: { status: 406, text: 'None of the accepted formats can be served' },
  conflict: { status: 409, text: 'Conflict during update, please try again' },
  gone: { status: 410, text: 'This resource is gone' },
  bodyTooLarge: { status: 413, text: 'The body is larger than this server accepts' },
  mediaTypeUnsupported: { status: 415, text: 'This path does not accept that content type' },
  contentCoded: { status: 415, text: 'This server accepts no compressed bodies' },
  mediaRefused: { status: 422, text: 'This media cannot be used' },
  validation: { status: 422, text: 'Validation failed' },
  userRequired: { status: 422, text: 'This method requires an authenticated user' },
  tooManyRequests: { status: 429, text: 'Too many requests' },
  internal: { status: 500, text: 'Something went wrong on our side' },
  overloaded: { status: 503, text: tryAgain },
  expired: { status: 503, text: 'This request waited too long and was not processed, please try again' },
  storageUnavailable: { status: 503, text: tryAgain },
  outcomeUnknown: { status: 503, text: 'The outcome of this request is unknown, please try again' },
  remoteUnreachable: { status: 503, text: 'Remote data could not be fetched' },
} as const satisfies Record<FailureCode, Words>;

export function statusOf({ code }: Failure): number {
  return failures[code].status;
}

/** One sentence without its full stop. */
export function textOf({ code, text }: Failure): string {
  return text ?? failures[code].text;
}

/** The closest code of RFC 6749 or RFC 6750. */
export function oauthCodeOf({ code }: Failure): string {
  const { status, oauth: registered }: Words = failures[code];
  if (registered !== undefined) return registered;
  if (status === 503) return 'temporarily_unavailable';
  if (status >= 500) return 'server_error';
  return status === 401 ? 'invalid_token' : 'invalid_request';
}
