/**
 * The configurations for proxies that operators copy (config/proxies), each started in front of one server, whose two gateways
 * listen on Unix sockets: forwarded names and addresses, streams, uploads.
 */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasCaddy, startCaddy } from '../support/caddy.ts';
import { freePort } from '../support/free-port.ts';
import { hasNginx, startNginxWith } from '../support/nginx.ts';
import { type RunningServer, startTestServer } from '../support/server.ts';
import { openStream, type Transport } from '../support/stream-readers.ts';
import { uploadPicture } from '../support/upload.ts';
import type { User } from '../support/users.ts';

const folder = mkdtempSync(join(tmpdir(), 'murmuration-sockets-'));
const socket = join(folder, 'web.sock');
const barred = '127.0.0.9';
let server: RunningServer;
let alice: User;

beforeAll(async () => {
  server = await startTestServer({
    environment: {
      MURMURATION_SOCKET: socket,
      MURMURATION_SOCKET_MODE: '640',
      MURMURATION_GATEWAYS: '2',
      MURMURATION_TRUSTED_PROXIES: '1',
    },
  });
  alice = await server.createUser('alice');
  for (const status of ['one', 'two']) await askSocket(socket, '/api/v1/statuses', alice.token, { status });
  await server.run('addresses', 'block', barred, '--severity', 'no_access');
});

afterAll(async () => {
  expect(await server.stop()).toBe(0);
  // Nothing is left where the server listened.
  expect(statSync(socket, { throwIfNoEntry: false })).toBeUndefined();
  rmSync(folder, { recursive: true, force: true });
});

interface Asked {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
}

function askSocket(socketPath: string, path: string, token?: string, json?: unknown): Promise<Asked> {
  return ask({ socketPath, path, token, json });
}

interface Question {
  readonly socketPath?: string;
  readonly port?: number;
  readonly localAddress?: string;
  readonly path: string;
  readonly token?: string | undefined;
  readonly json?: unknown;
}

function ask({ path, token, json, ...place }: Question): Promise<Asked> {
  return new Promise((done, fail) => {
    const headers = {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      'content-type': 'application/json',
    };
    const options = {
      host: '127.0.0.1',
      ...place,
      path,
      headers,
      agent: false,
      method: json === undefined ? 'GET' : 'POST',
    };
    const request = httpRequest(options, (answer) => {
      answer.resume();
      answer.on('end', () => done({ status: answer.statusCode, headers: answer.headers }));
    });
    request.on('error', fail);
    request.end(json === undefined ? undefined : JSON.stringify(json));
  });
}

test('each gateway has a socket with the permissions that the operator gives', async () => {
  for (const path of [socket, `${socket}.1`]) {
    expect((await askSocket(path, '/api/v2/instance')).status).toBe(200);
    expect(statSync(path).mode & 0o777).toBe(0o640);
  }
});

const configuration = (name: string) =>
  readFileSync(resolve(import.meta.dirname, '../../config/proxies', name), 'utf8');

/** The texts must be there: a file that has changed would be tried in another form than it has. */
function replaced(text: string, changes: readonly (readonly [string, string])[]): string {
  return changes.reduce((changed, [from, to]) => {
    expect(changed).toContain(from);
    return changed.replaceAll(from, to);
  }, text);
}

const fixture = (name: string) => resolve(import.meta.dirname, '../server/fixtures', name);

async function nginx(port: number) {
  const sites = replaced(configuration('nginx.conf'), [
    ['  server 127.0.0.1:3000;', `  server unix:${socket};\n  server unix:${socket}.1;`],
    ['listen 80;', `listen 127.0.0.1:${port};`],
    ['  listen [::]:80;', ''],
    // The part for HTTP redirects: what is tried is the one for HTTPS, without the certificates.
    [
      'server_name social.example.org;\n\n  location /.well-known',
      'server_name redirected;\n\n  location /.well-known',
    ],
    [
      'listen 443 ssl http2;',
      `listen 127.0.0.1:${port} default_server;\n  listen 127.0.0.1:${await freePort()} ssl http2;`,
    ],
    ['  listen [::]:443 ssl http2;', ''],
    ['/etc/letsencrypt/live/social.example.org/fullchain.pem', fixture('server.pem')],
    ['/etc/letsencrypt/live/social.example.org/privkey.pem', fixture('server-key.pem')],
  ]);
  return startNginxWith(sites, `http://127.0.0.1:${port}`);
}

function caddy(port: number) {
  const sites = replaced(configuration('Caddyfile'), [
    ['\nsocial.example.org {', `\nhttp://127.0.0.1:${port} {\n\tbind 127.0.0.1`],
    ['reverse_proxy 127.0.0.1:3000 {', `reverse_proxy unix/${socket} unix/${socket}.1 {`],
  ]);
  return startCaddy(sites, `http://127.0.0.1:${port}`);
}

describe.each([
  { name: 'nginx', isThere: hasNginx, start: nginx },
  { name: 'Caddy', isThere: hasCaddy, start: caddy },
])('$name with its file', ({ name, isThere, start }) => {
  // because only the program reads its configuration; .ci/run installs both
  describe.skipIf(!isThere)(isThere ? 'is there' : `(skipped: ${name} is missing)`, () => {
    let port: number;
    let proxy: { stop(): Promise<void> };
    let through: Pick<RunningServer, 'fetch' | 'origin'>;

    beforeAll(async () => {
      port = await freePort();
      proxy = await start(port);
      const origin = `http://127.0.0.1:${port}`;
      const fetchThrough: RunningServer['fetch'] = (path, { token, ...options } = {}) =>
        fetch(`${origin}${path}`, { ...options, headers: { authorization: `Bearer ${token}` } });
      through = { origin, fetch: fetchThrough };
    });

    afterAll(() => proxy.stop());

    test('passes on how and from where it is asked, and not what clients say of it', async () => {
      const path = '/api/v1/timelines/public?limit=1';
      const invented = { 'x-forwarded-host': 'elsewhere.example', 'x-forwarded-for': barred };
      const answer = await fetch(`${through.origin}${path}`, { headers: invented });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('link')).toContain(`<${through.origin}/api/v1/timelines/public?limit=1&max_id=`);
      const asked = await ask({ port, path, localAddress: barred });
      expect(asked.status).toBe(403);
    });

    test.each<Transport>(['websocket', 'server-sent events'])('events come as %s', async (transport) => {
      const stream = await openStream(through, transport, { channel: 'user', token: alice.token });
      await ask({ port, path: '/api/v1/statuses', token: alice.token, json: { status: `${name}: ${transport}` } });
      const { payload } = await stream.next(({ event }) => event === 'update');
      expect(payload).toMatchObject({ content: `<p>${name}: ${transport}</p>` });
      stream.close();
    });

    test('a picture is uploaded', async () => {
      // 202 where a busy machine has not decoded it in time.
      expect([200, 202]).toContain((await uploadPicture(through, alice)).status);
    });
  });
});
