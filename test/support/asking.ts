/** Requests to a running server as one of its users, with convenient access to the answers. */
import type { RunningServer } from './server.ts';
import { until } from './until.ts';

/** Any JSON answer, accessible by field names. */
export type Json = { [key: string]: Json } & Json[];

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  /** The body as received. */
  readonly text: string;
  /** The body as JSON. Throws a SyntaxError where it is not. */
  readonly body: Json;
}

export type Ask = (
  who: { readonly token: string } | undefined,
  method: string,
  path: string,
  json?: unknown,
) => Promise<Answered>;

export function askerOf(server: RunningServer): Ask {
  return async (who, method, path, json) => {
    const token = who === undefined ? {} : { token: who.token };
    return answered(await server.fetch(path, { method, ...token, ...(json === undefined ? {} : { json }) }));
  };
}

export async function answered(response: Response): Promise<Answered> {
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    get body() {
      return JSON.parse(text) as Json;
    },
  };
}

/**
 * The answer to a request for which another server is asked. One that takes longer than a client is kept waiting, as on a
 * busy machine, is refused with 503; what was found by then is known the next time.
 */
export function untilAnswered(ask: () => Promise<Response>): Promise<Response> {
  return until(
    async () => {
      const answer = await ask();
      return answer.status === 503 ? undefined : answer;
    },
    { description: 'an answer that another server is asked for' },
  );
}

/** The ids of a list, in its order. */
export function idsOf({ body }: Answered): string[] {
  return body.map((item) => String(item.id));
}

/** The internal errors that the server has logged; none in a healthy one. */
export function mistakesIn(server: RunningServer): string[] {
  return server
    .output()
    .split('\n')
    .filter((line) => /"level":"(?:error|fatal)"/.test(line));
}
