/**
 * What docs/cluster has operators add to the configurations of proxies (config/proxies): nginx and Caddy find the node that serves. Who
 * stands by answers as in the server; who serves says its name.
 */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/runtime/threads/clock.ts';
import { Standby } from '../../../src/server/cluster/standby.ts';
import { serveStandby } from '../../../src/server/cluster/standby-port.ts';
import { hasCaddy, startCaddy } from '../../support/caddy.ts';
import { freePort } from '../../support/free-port.ts';
import { hasNginx, startNginxWith } from '../../support/nginx.ts';
import { until } from '../../support/until.ts';

const root = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const page = read('docs/cluster/README.md');
const fixture = (name: string) => join(import.meta.dirname, '../fixtures', name);

/** The block of the page that has these words. */
function block(words: string): string {
  const found = page.match(/^```\n[\s\S]*?^```$/gm)!.find((text) => text.includes(words))!;
  return found.split('\n').slice(1, -1).join('\n');
}

/** The texts must be there: a file that has changed would be tried in another form than it has. */
function replaced(text: string, changes: readonly (readonly [string, string])[]): string {
  return changes.reduce((changed, [from, to]) => {
    expect(changed).toContain(from);
    return changed.replaceAll(from, to);
  }, text);
}

class Node {
  readonly name: string;
  readonly host: string;
  private readonly port: number;
  private readonly checks: number;
  private running: { close(): Promise<void> }[] = [];

  constructor(name: string, host: string, { port, checks }: { port: number; checks: number }) {
    this.name = name;
    this.host = host;
    this.port = port;
    this.checks = checks;
  }

  async serve(): Promise<void> {
    await this.stop();
    const answer = (body: string) => `${this.name} ${body}`;
    this.running = [await this.listen(this.port, 200, answer), await this.listen(this.checks, 200, () => 'READY')];
  }

  async standBy(): Promise<void> {
    await this.stop();
    const standby = new Standby(systemClock);
    standby.sees({ session: 'other', address: 'https://social.example' });
    const { host, port } = this;
    const answering = await serveStandby({ host, port, standby, passesOn: false });
    this.running = [answering, await this.listen(this.checks, 503, () => 'NOT READY')];
  }

  async stop(): Promise<void> {
    await Promise.all(this.running.splice(0).map((server) => server.close()));
  }

  private listen(port: number, status: number, answer: (body: string) => string): Promise<{ close(): Promise<void> }> {
    const server: Server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += chunk)).on('end', () => response.writeHead(status).end(answer(body)));
    });
    const close = () =>
      new Promise<void>((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      });
    return new Promise((listening) => server.listen(port, this.host, () => listening({ close })));
  }
}

let ports: { port: number; checks: number };
let one: Node;
let two: Node;

beforeEach(async () => {
  ports = { port: await freePort(), checks: await freePort() };
  one = new Node('one', '127.0.0.2', ports);
  two = new Node('two', '127.0.0.3', ports);
});
afterEach(() => Promise.all([one.stop(), two.stop()]));

const places = () => [
  [`one.internal:3000`, `127.0.0.2:${ports.port}`] as const,
  [`two.internal:3000`, `127.0.0.3:${ports.port}`] as const,
];

async function nginx(port: number) {
  const added = block('proxy_next_upstream');
  const upstream = block('fail_timeout=1s;');
  const sites = replaced(read('config/proxies/nginx.conf'), [
    ['  server 127.0.0.1:3000;', upstream],
    ['    proxy_pass http://murmuration;', `    proxy_pass http://murmuration;\n${added}`],
    ...places(),
    ['listen 80;', `listen 127.0.0.1:${port};`],
    ['  listen [::]:80;', ''],
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
  const sites = replaced(read('config/proxies/Caddyfile'), [
    ['\nsocial.example.org {', `\nhttp://127.0.0.1:${port} {\n\tbind 127.0.0.1`],
    ['\treverse_proxy 127.0.0.1:3000 {', block('lb_policy first')],
    ['health_port 3001', `health_port ${ports.checks}`],
    ...places(),
  ]);
  return startCaddy(sites, `http://127.0.0.1:${port}`);
}

describe.each([
  { name: 'nginx', isThere: hasNginx, start: nginx },
  { name: 'Caddy', isThere: hasCaddy, start: caddy },
])('$name', ({ name, isThere, start }) => {
  // because only the program reads its configuration; .ci/run installs both
  test.skipIf(!isThere)(isThere ? 'leads to whoever serves' : `(skipped: ${name} is missing)`, async () => {
    const port = await freePort();
    await one.serve();
    await two.standBy();
    const proxy = await start(port);
    const post = async (text: string) => {
      const answer = await fetch(`http://127.0.0.1:${port}/api/v1/statuses`, { method: 'POST', body: text });
      return `${answer.status} ${await answer.text()}`;
    };
    const reaches = async (node: Node) => {
      await until(async () => (await post('first')) === `200 ${node.name} first`, { description: node.name });
      for (let number = 0; number < 20; number += 1) expect(await post(`${number}`)).toBe(`200 ${node.name} ${number}`);
    };
    try {
      await reaches(one);
      await one.standBy();
      await two.serve();
      await reaches(two);
      await one.stop();
      await reaches(two);
      await two.stop();
      await one.serve();
      await reaches(one);
    } finally {
      await proxy.stop();
    }
  });
});
