/**
 * The limit of streaming: a uWebSockets server that publishes an event to all its sockets for every POST, with the bytes
 * of the real event, the marker of the post in its place, and nothing else.
 */
import { App, us_socket_local_port } from 'uWebSockets.js';
import { markerPattern } from '../load/marker.ts';
import { serveChild } from '../processes/child.ts';

export interface BareEvent {
  readonly before: string;
  readonly after: string;
}

const topic = 'events';
const backpressureBytesMax = 1024 * 1024;

serveChild({ listen });

/** Returns the port. */
function listen({ before, after }: BareEvent): Promise<number> {
  const app = App();
  app.ws('/*', { maxBackpressure: backpressureBytesMax, open: (socket) => void socket.subscribe(topic) });
  app.post('/*', (response) => {
    response.onAborted(() => undefined);
    response.onData((chunk, isLast) => {
      const marker = markerPattern.exec(Buffer.from(chunk).toString('latin1'))?.[0];
      if (marker !== undefined) app.publish(topic, `${before}${marker}${after}`);
      if (isLast) response.end('{}');
    });
  });
  return new Promise((resolve, reject) => {
    app.listen('127.0.0.1', 0, (socket) => {
      if (socket === false) reject(new Error('cannot listen'));
      else resolve(us_socket_local_port(socket));
    });
  });
}
