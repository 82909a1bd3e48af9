/**
 * `GET /health` and `GET /ready` on a port of their own, for proxies and whatever else watches the server. Both answer while
 * gateways are too busy to, and both speak HTTP/1.0.
 *
 * - `/ready` tells whether requests should be sent here: the server has started, is not stopping, and the event loop of
 *   each thread responds. The main thread knows that without asking.
 * - `/health` is what gateways answer under this path. A gateway is asked; where none answers in time, clients of the API
 *   wait as long, and that is the problem.
 */
import type { PlainAnswer, PlainRequest, PlainServerOptions } from '../plain-server.ts';
import { type Health, healthWords } from './health.ts';

export interface Watched {
  /** Why no requests should be sent here, as sentences; none when all is well. */
  reasons(): readonly string[];
  /** What a node that stands by tells in place of a gateway; it is well. */
  standingBy(): { readonly status: string } | undefined;
  /** Asks a gateway. Rejects with a sentence where it ends before it answers. */
  ask(): Promise<Health>;
}

const answerMilliseconds = 3_000;

interface Report {
  readonly isGood: boolean;
  readonly word: string;
  readonly details: unknown;
}

export function healthAnswers(watched: Watched, waitMilliseconds = answerMilliseconds): PlainServerOptions['answer'] {
  /** Not yet answered: a gateway that is busy is asked once. */
  let asked: Promise<Health> | undefined;
  const ask = (): Promise<Health> => {
    asked ??= watched.ask().finally(() => {
      asked = undefined;
    });
    return asked;
  };
  return async (request) => {
    if (request.path === '/ready') return answerOf(request, readiness(watched.reasons()));
    const standby = watched.standingBy();
    if (request.path === '/health' && standby !== undefined)
      return answerOf(request, { isGood: true, word: standby.status, details: standby });
    if (request.path === '/health') return answerOf(request, await health(watched, inTime(ask(), waitMilliseconds)));
    return { status: 404, body: 'There is nothing but /health and /ready here.\n' };
  };
}

function readiness(reasons: readonly string[]): Report {
  const isGood = reasons.length === 0;
  const word = isGood ? 'READY' : 'NOT READY';
  return { isGood, word, details: { status: word, reasons } };
}

async function health({ reasons }: Watched, answer: Promise<Health | string>): Promise<Report> {
  const found = await answer;
  if (typeof found !== 'string')
    return { isGood: found.status === 'UP', word: healthWords[found.status], details: found };
  const problems = [...new Set([...reasons(), found])].map((problem) => ({ problem }));
  return { isGood: false, word: healthWords.DOWN, details: { status: 'DOWN', problems } };
}

/** A sentence in place of an answer that does not come. */
function inTime(answer: Promise<Health>, milliseconds: number): Promise<Health | string> {
  return new Promise((resolve) => {
    const sentence = `No gateway answered within ${milliseconds / 1_000} seconds.`;
    const deadline = setTimeout(() => resolve(sentence), milliseconds);
    answer
      .catch((error: unknown) => (error instanceof Error ? error.message : String(error)))
      .then((found) => {
        clearTimeout(deadline);
        resolve(found);
      });
  });
}

function answerOf({ accept }: PlainRequest, { isGood, word, details }: Report): PlainAnswer {
  const status = isGood ? 200 : 503;
  const headers = { 'Cache-Control': 'no-store' };
  if (accept.includes('application/json'))
    return { status, headers: { ...headers, 'Content-Type': 'application/json' }, body: JSON.stringify(details) };
  return { status, headers: { ...headers, 'Content-Type': 'text/plain; charset=utf-8' }, body: word };
}
