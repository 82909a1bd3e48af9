/** How the answers of endpoints, of raw routes and of unknown paths are dressed. */
import type { Endpoint, RawRoute } from '../route.ts';
import type { AnswerHeaders } from './answers.ts';
import { openOriginLines } from './cors.ts';
import type { Face } from './exchange.ts';
import { failureAnswer } from './failure-answer.ts';

/** RFC 6750 section 3. */
const bearerChallenge: AnswerHeaders = { 'WWW-Authenticate': 'Bearer' };

export function endpointFace<Services>(endpoint: Endpoint<Services>): Face<Services> {
  return {
    headerLines: `${openOriginLines(endpoint.path)}\r\nVary: Authorization`,
    failed: (failure) =>
      failureAnswer(failure, endpoint.failureStyle, failure.status === 401 ? bearerChallenge : undefined),
  };
}

export function rawFace<Services>(route: RawRoute<Services>): Face<Services> {
  return {
    headerLines: openOriginLines(route.path),
    failed: (failure, exchange) =>
      route.failed?.(failure, exchange.request, exchange.services) ?? failureAnswer(failure, 'api'),
  };
}

export function unknownPathFace<Services>(path: string): Face<Services> {
  return {
    headerLines: openOriginLines(path),
    failed: (failure) => failureAnswer(failure, 'api'),
  };
}
