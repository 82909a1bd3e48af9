/**
 * `GET /metrics` on a port of its own, for Prometheus and similar programs. Anybody who reaches the port may read it:
 * it belongs on the loopback interface or a closed network.
 */
import { createServer, type Server } from 'node:http';
import { expositionType } from './exposition.ts';

export interface MetricsServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Scrapes are small and few. */
const connectionsMax = 16;
const requestMilliseconds = 10_000;

/** Port 0 takes a free one. Rejects with the error of the operating system. Must run on the main thread. */
export function serveMetrics(host: string, port: number, read: () => Promise<string>): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    const path = request.url?.split('?', 1)[0];
    if (path !== '/metrics') response.writeHead(404).end('There is nothing but /metrics here.\n');
    else if (request.method !== 'GET' && request.method !== 'HEAD')
      response.writeHead(405, { Allow: 'GET, HEAD' }).end();
    else void read().then((text) => response.writeHead(200, { 'Content-Type': expositionType }).end(text));
  });
  server.maxConnections = connectionsMax;
  server.requestTimeout = requestMilliseconds;
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, exclusive: true }, () => {
      const address = server.address();
      resolve({ port: typeof address === 'object' ? (address?.port ?? port) : port, close: () => close(server) });
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
