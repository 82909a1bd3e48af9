/** The health port as those who check see it: over a real socket, by HTTP/1.0, before, while and after the server runs. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { healthAnswers } from '../../../../src/gateway/operator/health/server.ts';
import { loadOptions } from '../../../../src/options/load.ts';
import { assertPortsApart, type HealthPort, openHealth } from '../../../../src/server/operator-ports.ts';
import { freePort } from '../../../support/free-port.ts';

const up = { status: 'UP', problems: [], recent_problems: [], dead_letters: 0, archived_dead_letters: 0 };

const optionsWith = (environment: Record<string, string>) =>
  loadOptions({ environment, configurationFolder: '.', readTextFile: () => undefined });

let port: number;
let health: HealthPort;

beforeEach(async () => {
  port = await freePort('127.0.0.1');
  health = (await openHealth(optionsWith({ MURMURATION_HEALTH_PORT: String(port) })))!;
});

afterEach(() => health.close());

/** What the server says until it closes the connection. */
async function say(bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.on('data', (data) => {
    received += data.toString();
  });
  socket.write(bytes);
  await once(socket, 'close');
  return received;
}

const http10 = (path: string, headers = '') => say(`GET ${path} HTTP/1.0\r\n${headers}\r\n`);

test('from the start to the end of a server it says what is the case', async () => {
  expect(await http10('/ready')).toMatch(/^HTTP\/1\.1 503 [\s\S]*\r\nConnection: close\r\n\r\nNOT READY$/);
  expect(await http10('/health')).toMatch(/^HTTP\/1\.1 503 [\s\S]*\r\n\r\nDOWN$/);
  let absent: string[] = [];
  let holdsLease = true;
  const threads = {
    get absent() {
      return absent;
    },
    admin: async () => ({ ok: true as const, lines: [], health: up }),
  };
  health.watch(threads, () => holdsLease);
  expect(await http10('/ready')).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\n\r\nREADY$/);
  expect(await http10('/health', 'Connection: keep-alive\r\n')).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\n\r\nOK$/);
  absent = ['gateway thread 1'];
  expect(await http10('/ready', 'Accept: application/json\r\n')).toContain('The gateway thread 1 does not answer.');
  absent = [];
  holdsLease = false;
  expect(await http10('/ready', 'Accept: application/json\r\n')).toContain('until its lease is renewed');
  expect(await http10('/health')).toMatch(/^HTTP\/1\.1 503 [\s\S]*\r\n\r\nDOWN$/);
  holdsLease = true;
  expect(await http10('/ready')).toMatch(/^HTTP\/1\.1 200 /);
  health.stopping();
  expect(await http10('/ready', 'Accept: application/json\r\n')).toContain('The server is stopping.');
  expect(await http10('/health')).toMatch(/^HTTP\/1\.1 503 /);
});

test('a gateway that is too busy to answer is a problem, and is asked once', async () => {
  let asked = 0;
  let answerNow: () => void = () => undefined;
  const answer = healthAnswers(
    {
      standingBy: () => undefined,
      reasons: () => ['The gateway thread 0 does not answer.'],
      ask: () =>
        new Promise((resolve) => {
          asked += 1;
          answerNow = () => resolve({ ...up, status: 'UP' });
        }),
    },
    1,
  );
  const request = { method: 'GET', path: '/health', target: '/health', accept: 'application/json' };
  for (const _time of [1, 2]) {
    const { status, body } = await answer(request);
    expect([status, JSON.parse(body!)]).toEqual([
      503,
      {
        status: 'DOWN',
        problems: [
          { problem: 'The gateway thread 0 does not answer.' },
          { problem: 'No gateway answered within 0.001 seconds.' },
        ],
      },
    ]);
  }
  expect(asked).toBe(1);
  answerNow();
});

test('ports that are the same, or taken, are refused', async () => {
  expect(() => assertPortsApart(optionsWith({ MURMURATION_PORT: '4000', MURMURATION_HEALTH_PORT: '4000' }))).toThrow(
    'The health checks need a port of their own: 4000 is that of the server.',
  );
  const both = { MURMURATION_METRICS_PORT: '4001', MURMURATION_HEALTH_PORT: '4001' };
  expect(() => assertPortsApart(optionsWith(both))).toThrow('4001 is that of the metrics.');
  await expect(openHealth(optionsWith({ MURMURATION_HEALTH_PORT: String(port) }))).rejects.toThrow(
    `Port ${port} of 127.0.0.1 is in use by another program.`,
  );
});
