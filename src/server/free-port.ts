/**
 * Finds a port to listen on. Gateways share their port (SO_REUSEPORT), so the system would also let a second server
 * bind it and send half of the connections there: hence the checks here.
 */
import { type AddressInfo, createServer } from 'node:net';

const portSentences: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use by another program',
  EACCES: 'is not open to this user: ports below 1024 need a permission of their own',
};

const hostSentences: Readonly<Record<string, string>> = {
  EADDRNOTAVAIL: 'is not an address of this machine',
  ENOTFOUND: 'is neither an address nor a name that leads to one',
  EAI_AGAIN: 'is not an address, and nobody says now whether it is a name that leads to one',
};

/** A currently free port. Rejects with an Error whose message is a sentence for the operator. */
export async function findFreePort(host: string): Promise<number> {
  try {
    return await tryPort(host, 0);
  } catch (error) {
    throw new Error(`The server cannot listen on ${host}, which ${reasonOf(error, hostSentences)}.`, { cause: error });
  }
}

/** Rejects with an Error whose message is a sentence for the operator. */
export async function assertPortFree(host: string, port: number): Promise<void> {
  try {
    await tryPort(host, port);
  } catch (error) {
    throw new Error(`Port ${port} of ${host} ${reasonOf(error, portSentences)}.`, { cause: error });
  }
}

export async function isPortFree(host: string, port: number): Promise<boolean> {
  return tryPort(host, port).then(
    () => true,
    () => false,
  );
}

function tryPort(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ host, port, exclusive: true }, () => {
      const taken = (server.address() as AddressInfo).port;
      server.close(() => resolve(taken));
    });
  });
}

function reasonOf(error: unknown, sentences: Readonly<Record<string, string>>): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return sentences[code] ?? `cannot be listened on (${message})`;
}
