/**
 * `GET /metrics` on a port of its own, for Prometheus and similar programs. Anybody who reaches the port may read it:
 * it belongs on the loopback interface or a closed network.
 */
import { type PlainServer, servePlain } from '../plain-server.ts';
import { expositionType } from './exposition.ts';

/** Port 0 takes a free one. Rejects with the error of the operating system. Must run on the main thread. */
export function serveMetrics(host: string, port: number, read: () => Promise<string>): Promise<PlainServer> {
  return servePlain({
    host,
    port,
    async answer({ path }) {
      if (path !== '/metrics') return { status: 404, body: 'There is nothing but /metrics here.\n' };
      return { status: 200, headers: { 'Content-Type': expositionType }, body: await read() };
    },
  });
}
