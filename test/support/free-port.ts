/**
 * Ports for servers that a test starts later, or again under the same origin. Nobody else gets one in between: they are
 * below those that systems give to whoever asks for any port, and this process keeps each by a UDP socket until it ends,
 * so that no other process of tests takes it.
 */
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

const lowest = 10_000;
const count = 6_000;
const attempts = 1_000;

/** A port that is free at this address, and that no other test has. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const port = lowest + Math.floor(Math.random() * count);
    if ((await keep(port)) && (await isFree(host, port))) return port;
  }
  throw new Error('no port is free');
}

function keep(port: number): Promise<boolean> {
  const socket = createSocket('udp4').unref();
  return new Promise((done) => {
    socket.once('error', () => {
      socket.close();
      done(false);
    });
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => done(true));
  });
}

function isFree(host: string, port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((done) => {
    server.once('error', () => done(false));
    server.listen({ host, port, exclusive: true }, () => void server.close(() => done(true)));
  });
}
