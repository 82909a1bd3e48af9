/**
 * The closed table of errors. Every refusal that leaves the server is one of these: a code for programs and logs, an
 * HTTP status, and a text that is safe to show. The cause of a failure goes to the log and never to a client.
 *
 * Texts that Mastodon clients compare literally are those of the Mastodon API (specification section 7 leaves them open).
 */
export const failures = {
  badRequest: { status: 400, text: 'The request could not be understood' },
  malformedJson: { status: 400, text: 'The body is not valid JSON' },
  parameterMissing: { status: 400, text: 'A required parameter is missing' },
  unknownChannel: { status: 400, text: 'Unknown channel requested' },
  invalidRequest: { status: 400, text: 'invalid_request' },
  invalidGrant: { status: 400, text: 'invalid_grant' },
  invalidScope: { status: 400, text: 'invalid_scope' },
  unsupportedGrantType: { status: 400, text: 'unsupported_grant_type' },
  invalidClient: { status: 401, text: 'invalid_client' },
  tokenInvalid: { status: 401, text: 'The access token is invalid' },
  tokenRevoked: { status: 401, text: 'The access token was revoked' },
  tokenRequired: { status: 401, text: 'This API requires an authenticated user' },
  streamScopeMissing: { status: 401, text: 'This action is outside the authorized scopes' },
  signatureInvalid: { status: 401, text: 'The request is not signed, or its signature does not hold' },
  credentialsInvalid: { status: 401, text: 'The e-mail address or the password is wrong' },
  loginDisabled: { status: 403, text: 'Your login is currently disabled' },
  loginUnconfirmed: { status: 403, text: 'Your login is missing a confirmed e-mail address' },
  loginPending: { status: 403, text: 'Your login is currently pending approval' },
  forbidden: { status: 403, text: 'This action is not allowed' },
  scopeMissing: { status: 403, text: 'This action is outside the authorized scopes' },
  unauthorizedClient: { status: 403, text: 'unauthorized_client' },
  originForbidden: { status: 403, text: 'The domain of this server is blocked here' },
  notFound: { status: 404, text: 'Record not found' },
  notAcceptable: { status: 406, text: 'None of the accepted formats can be served' },
  methodNotAllowed: { status: 405, text: 'This path does not serve that method' },
  conflict: { status: 409, text: 'Conflict during update, please try again' },
  gone: { status: 410, text: 'This resource is gone' },
  bodyTooLarge: { status: 413, text: 'The body is larger than this server accepts' },
  mediaTypeUnsupported: { status: 415, text: 'The content type is not one that this path reads' },
  validation: { status: 422, text: 'Validation failed' },
  userRequired: { status: 422, text: 'This method requires an authenticated user' },
  duplicate: { status: 422, text: 'Duplicate record' },
  tooManyRequests: { status: 429, text: 'Too many requests' },
  internal: { status: 500, text: 'Something went wrong on our side' },
  overloaded: { status: 503, text: 'There was a temporary problem serving your request, please try again' },
  expired: { status: 503, text: 'This request waited too long and was not carried out, please repeat it' },
  storageUnavailable: { status: 503, text: 'There was a temporary problem serving your request, please try again' },
  outcomeUnknown: { status: 503, text: 'The outcome of this request is unknown, please repeat it' },
  remoteUnreachable: { status: 503, text: 'Remote data could not be fetched' },
} as const satisfies Record<string, { status: number; text: string }>;

export type FailureCode = keyof typeof failures;

export interface FailureOptions {
  /** Replaces the table's text; must be as safe to show as that one. */
  text?: string;
  /** For the log only. */
  cause?: unknown;
  /** Extra keys of the answer's JSON, such as `details` of a registration. */
  details?: Record<string, unknown>;
}

/** The one error type that may cross a boundary of this program. Anything else thrown is reported as `internal`. */
export class Failure extends Error {
  readonly code: FailureCode;
  readonly details: Record<string, unknown> | undefined;

  constructor(code: FailureCode, options: FailureOptions = {}) {
    super(options.text ?? failures[code].text, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'Failure';
    this.code = code;
    this.details = options.details;
  }

  get status(): number {
    return failures[this.code].status;
  }
}

/** What a failure looks like on its way between threads: no stack, no cause. */
export interface WireFailure {
  code: FailureCode;
  text: string;
  details?: Record<string, unknown>;
}

export function toWireFailure(error: unknown): WireFailure {
  const failure = asFailure(error);
  return failure.details === undefined
    ? { code: failure.code, text: failure.message }
    : { code: failure.code, text: failure.message, details: failure.details };
}

export function fromWireFailure(wire: WireFailure): Failure {
  return new Failure(
    wire.code,
    wire.details === undefined ? { text: wire.text } : { text: wire.text, details: wire.details },
  );
}

/** Anything thrown, as a failure; what is not one already becomes `internal` with the original as its cause. */
export function asFailure(error: unknown): Failure {
  return error instanceof Failure ? error : new Failure('internal', { cause: error });
}

const validationPrefix = 'Validation failed: ';

/** 422 `Validation failed: …`, in the wording of the Mastodon API. */
export function validationFailure(sentence: string, details?: Record<string, unknown>): Failure {
  const text = validationPrefix + sentence;
  return new Failure('validation', details === undefined ? { text } : { text, details });
}

/** The sentence of a validation failure by itself, as a page says it beside its form. */
export function validationSentence({ message }: Failure): string {
  return message.startsWith(validationPrefix) ? message.slice(validationPrefix.length) : message;
}
