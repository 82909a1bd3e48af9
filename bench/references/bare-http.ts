/** The limit of an HTTP answer: a uWebSockets handler that sends bytes it was given, with the headers it was given. */
import '../../src/gateway/http/no-server-header.ts';
import { App, us_socket_local_port } from 'uWebSockets.js';
import { serveChild } from '../processes/child.ts';

export interface BareAnswer {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
}

serveChild({ listen });

/** Answers every GET; returns the port. */
function listen({ headers, body }: BareAnswer): Promise<number> {
  const app = App();
  app.get('/*', (response) => {
    response.cork(() => {
      for (const [name, value] of headers) response.writeHeader(name, value);
      response.end(body);
    });
  });
  return new Promise((resolve, reject) => {
    app.listen('127.0.0.1', 0, (socket) => {
      if (socket === false) reject(new Error('cannot listen'));
      else resolve(us_socket_local_port(socket));
    });
  });
}
