/** Finds the access token of a request: a Bearer header, else `access_token` in the query (RFC 6750 section 2). */
import { Failure } from '../../runtime/errors.ts';
import { httpLimits } from './limits.ts';
import { queryValue } from './parameters/urlencoded.ts';
import type { IncomingRequest } from './request.ts';

const scheme = 'Bearer ';

/** Undefined when there is none. Throws Failure tokenInvalid for one that is too long to be valid. */
export function tokenOf(request: IncomingRequest): string | undefined {
  const header = request.header('authorization');
  const token = header === undefined ? undefined : bearerToken(header);
  return checked(token || (request.query === '' ? undefined : queryValue(request.query, 'access_token')));
}

/** Undefined for another scheme, such as Basic for clients. */
function bearerToken(header: string): string | undefined {
  const isBearer = header.startsWith(scheme) || header.slice(0, scheme.length).toLowerCase() === scheme.toLowerCase();
  return isBearer ? header.slice(scheme.length).trim() : undefined;
}

/** The token in a body, for routes whose bodies are small. */
export function bodyToken(value: unknown): string | undefined {
  return typeof value === 'string' ? checked(value) : undefined;
}

function checked(token: string | undefined): string | undefined {
  if (token === undefined || token === '') return undefined;
  if (token.length > httpLimits.tokenCharactersMax) throw new Failure('tokenInvalid');
  return token;
}
