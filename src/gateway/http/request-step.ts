/** What a request tells the log and the collector of traces. */
import { systemClock } from '../../runtime/threads/clock.ts';
import type { Step } from '../../runtime/tracing/trace.ts';
import type { IncomingRequest } from './request.ts';

interface EndedRequest {
  readonly request: Pick<IncomingRequest, 'method' | 'path' | 'id'>;
  /** Its declared path; undefined where nothing is declared. */
  readonly route: string | undefined;
  /** Undefined where the client has left before the answer: the log has no line for that. */
  readonly status: number | undefined;
  readonly milliseconds: number;
  /** The span of a proxy. */
  readonly parent: string | undefined;
}

export function stepOfRequest({ request, route, status, milliseconds, parent }: EndedRequest): Step {
  const { method, path, id } = request;
  const [named, known] = method === 'OTHER' ? ['HTTP', '_OTHER'] : [method, method];
  return {
    ...(status !== undefined && { line: { text: `request ${method} ${path}`, details: { status } } }),
    span: {
      name: route === undefined ? named : `${named} ${route}`,
      kind: 'server',
      beganAt: systemClock.monotonic() - milliseconds,
      parent,
      attributes: {
        'http.request.method': known,
        'http.route': route,
        'http.response.status_code': status,
        'error.type': status === undefined ? 'left' : status >= 500 ? String(status) : undefined,
        'murmuration.request_id': id,
      },
    },
  };
}
