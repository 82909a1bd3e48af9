/** The response profiles of endpoints, raw routes and unknown paths. */
import type { Failure } from '../../runtime/errors.ts';
import type { Deprecation, Endpoint, RawRoute } from '../route.ts';
import type { AnswerHeaders } from './answers.ts';
import { openOriginLines } from './cors.ts';
import type { ResponseProfile } from './exchange.ts';
import { failureAnswer } from './failure-answer.ts';
import { statusOf } from './failures.ts';
import type { IncomingRequest } from './request.ts';
import type { RequestMeter } from './request-metrics.ts';

/** On every answer: none is anything else than its content type says (WHATWG Fetch, section 3.6). */
const commonLines = '\r\nX-Content-Type-Options: nosniff';

/** The pattern of the page that answers paths that nothing else does. */
export const anyPath = '/*rest';

/** RFC 6750 section 3. */
const bearerChallenge: AnswerHeaders = { 'WWW-Authenticate': 'Bearer' };

/** RFC 6749 section 5.2: a client that authenticates in the header is challenged with the same scheme. */
const clientChallenge: AnswerHeaders = { 'WWW-Authenticate': 'Basic realm="OAuth"' };

export function endpointProfile<Services>(
  endpoint: Endpoint<Services>,
  meter: RequestMeter | undefined,
): ResponseProfile<Services> {
  return {
    meter,
    route: endpoint.path,
    headerLines: `${commonLines}${openOriginLines(endpoint.path)}\r\nVary: Authorization${deprecationLine(endpoint.deprecated)}`,
    failed: (failure, { request }) => failureAnswer(failure, endpoint.failureStyle, challengeTo(failure, request)),
  };
}

/** Since when clients should use something else (RFC 9745: a structured date, in seconds). */
function deprecationLine(deprecated: Deprecation | undefined): string {
  return deprecated === undefined ? '' : `\r\nDeprecation: @${Math.floor(deprecated.at / 1_000)}`;
}

function challengeTo(failure: Failure, request: IncomingRequest): AnswerHeaders | undefined {
  if (statusOf(failure) !== 401) return undefined;
  const isBasic = failure.code === 'invalidClient' && /^basic /i.test(request.header('authorization') ?? '');
  return isBasic ? clientChallenge : bearerChallenge;
}

export function rawProfile<Services>(
  route: RawRoute<Services>,
  meter: RequestMeter | undefined,
): ResponseProfile<Services> {
  return {
    meter,
    route: route.path === anyPath ? undefined : route.path,
    headerLines: commonLines + openOriginLines(route.path),
    failed: (failure, exchange) =>
      route.failed?.(failure, exchange.request, exchange.services) ?? failureAnswer(failure, 'api'),
  };
}

export function unknownPathProfile<Services>(path: string, meter: RequestMeter | undefined): ResponseProfile<Services> {
  return {
    meter,
    route: undefined,
    headerLines: commonLines + openOriginLines(path),
    failed: (failure) => failureAnswer(failure, 'api'),
  };
}
