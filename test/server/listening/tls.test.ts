/**
 * A whole server that speaks TLS itself, with two gateways: its certificate is exchanged under open streams, and what cannot
 * be served is refused. The certificates are fixtures for 127.0.0.1 and localhost.
 */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type PeerCertificate } from 'node:tls';
import { WebSocket, Agent as WebSocketAgent } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { type RunningServer, startTestServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';

const fixtures = join(import.meta.dirname, '../fixtures');
const ca = ['authority.pem', 'renewed.pem'].map((file) => readFileSync(join(fixtures, file)));
const folder = mkdtempSync(join(tmpdir(), 'murmuration-tls-'));
const certificate = join(folder, 'certificate.pem');
const key = join(folder, 'key.pem');
const challenges = join(folder, '.well-known/acme-challenge');

function serveFrom(certificateFile: string, keyFile: string): void {
  copyFileSync(join(fixtures, certificateFile), certificate);
  copyFileSync(join(fixtures, keyFile), key);
}

let server: RunningServer;
let origin: string;
let redirectPort: number;
let token: string;
const kept = new Agent({ ca, keepAlive: true });

beforeAll(async () => {
  serveFrom('server.pem', 'server-key.pem');
  mkdirSync(challenges, { recursive: true });
  writeFileSync(join(challenges, 'a-token'), 'a-token.thumbprint');
  const port = await freePort();
  redirectPort = await freePort();
  origin = `https://localhost:${port}`;
  server = await startTestServer({
    port,
    environment: {
      MURMURATION_ORIGIN: origin,
      MURMURATION_GATEWAYS: '2',
      MURMURATION_LOG_LEVEL: 'info',
      MURMURATION_TLS_CERTIFICATE: certificate,
      MURMURATION_TLS_KEY: key,
      MURMURATION_REDIRECT_PORT: String(redirectPort),
      MURMURATION_ACME_FOLDER: folder,
    },
  });
  token = (await server.createUser('alice')).token;
});

afterAll(async () => {
  kept.destroy();
  expect(await server.stop()).toBe(0);
  rmSync(folder, { recursive: true, force: true });
});

interface Answer {
  readonly status: number | undefined;
  readonly text: string;
}

function ask(path: string, { agent = kept, json }: { agent?: Agent; json?: unknown } = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const asked = request(
      `${origin}${path}`,
      { agent, headers, method: json === undefined ? 'GET' : 'POST' },
      (answer) => {
        let text = '';
        answer.on('data', (chunk) => {
          text += chunk;
        });
        answer.on('end', () => resolve({ status: answer.statusCode, text }));
      },
    );
    asked.on('error', reject);
    asked.end(json === undefined ? undefined : JSON.stringify(json));
  });
}

/** Of a new connection, with or without the name of the host. */
function certificateNow(servername: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: server.port, ca, servername }, () => {
      const { subject }: PeerCertificate = socket.getPeerCertificate();
      socket.destroy();
      resolve(String(subject.CN));
    });
    socket.once('error', reject);
  });
}

const former = 'localhost';
const renewed = 'renewed';

test('it is reached by TLS alone, and leads browsers there', async () => {
  expect([await certificateNow('localhost'), await certificateNow('')]).toEqual([former, former]);
  expect((await ask('/api/v2/instance')).text).toContain(`"domain":"localhost:${server.port}"`);
  const redirected = await fetch(`http://127.0.0.1:${redirectPort}/@alice?page=2`, { redirect: 'manual' });
  expect([redirected.status, redirected.headers.get('location')]).toEqual([301, `${origin}/@alice?page=2`]);
  const challenge = await fetch(`http://127.0.0.1:${redirectPort}/.well-known/acme-challenge/a-token`);
  expect(await challenge.text()).toBe('a-token.thumbprint');
  const unknown = `http://127.0.0.1:${redirectPort}/.well-known/acme-challenge`;
  expect((await fetch(`${unknown}/another`, { redirect: 'manual' })).status).toBe(404);
  expect((await fetch(`${unknown}/..%2f..%2fkey.pem`, { redirect: 'manual' })).status).toBe(301);
});

test('a pair that does not fit is refused, and a new one served without losing a stream', async () => {
  const dispatcher = new WebSocketAgent({ connect: { ca } });
  const stream = new WebSocket(
    `${origin.replace('https', 'wss')}/api/v1/streaming?stream=public&access_token=${token}`,
    {
      dispatcher,
    },
  );
  const received: string[] = [];
  stream.addEventListener('message', ({ data }) => void received.push(String(data)));
  await new Promise((resolve) => stream.addEventListener('open', resolve));
  const publish = async (status: string) => {
    expect((await ask('/api/v1/statuses', { json: { status } })).status).toBe(200);
    await until(() => received.some((message) => message.includes(status)));
  };
  await publish('before');

  copyFileSync(join(fixtures, 'renewed-key.pem'), key);
  server.process.kill('SIGHUP');
  await until(() => server.output().includes('the former certificate is served: The key in '));
  expect([await certificateNow('localhost'), await certificateNow('')]).toEqual([former, former]);

  copyFileSync(join(fixtures, 'renewed.pem'), certificate);
  server.process.kill('SIGHUP');
  await until(() => server.output().includes('new connections get the new certificate, which is valid until '));
  // Each gateway takes it over by itself; the kernel chooses which one gets a connection.
  await until(async () => {
    const names = await Promise.all(
      Array.from({ length: 16 }, (_, index) => certificateNow(index % 2 ? '' : 'localhost')),
    );
    return names.every((name) => name === renewed);
  });
  await publish('after, on the connection from before');
  const agent = new Agent({ ca });
  expect((await ask('/api/v1/statuses', { agent, json: { status: 'after, on a new one' } })).status).toBe(200);
  await until(() => received.some((message) => message.includes('after, on a new one')));
  expect(stream.readyState).toBe(stream.OPEN);
  stream.close();
  agent.destroy();
  await dispatcher.close();
  expect(server.process.exitCode).toBeNull();
});
