/**
 * Whether the server may listen where it should. Gateways share their port with each other, and the system would let
 * them share it with another server of this kind as well: half of the visitors would come out there.
 */
import { createServer } from 'node:net';

const sentences: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use by another program',
  EACCES: 'is not open to this user: ports below 1024 need a permission of their own',
  EADDRNOTAVAIL: 'is not an address of this machine',
  ENOTFOUND: 'is not an address of this machine',
};

/** Rejects with an Error whose message is a sentence for the operator. Port 0 is always free. */
export function assertPortFree(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason = sentences[error.code ?? ''] ?? `cannot be listened on (${error.message})`;
      reject(new Error(`Port ${port} of ${host} ${reason}.`, { cause: error }));
    });
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve()));
  });
}
