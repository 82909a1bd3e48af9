/** What a node that stands by answers where it speaks TLS itself. */
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { expect, test } from 'vitest';
import { systemClock } from '../../../src/runtime/threads/clock.ts';
import { Standby } from '../../../src/server/cluster/standby.ts';
import { serveStandby } from '../../../src/server/cluster/standby-port.ts';
import type { ReadCertificate } from '../../../src/server/listening/certificate.ts';
import { freePort } from '../../support/free-port.ts';

const fixture = (file: string) => readFileSync(join(import.meta.dirname, '../fixtures', file), 'utf8');
const pair = (name: string): ReadCertificate => ({
  ...{ certificate: fixture(`${name}.pem`), key: fixture(`${name}-key.pem`) },
  ...{ endsAt: 0, warnings: [] },
});

test('it refuses over TLS, with the certificate that is served now, and tells how it stands', async () => {
  const port = await freePort();
  const standby = new Standby(systemClock);
  standby.sees({ session: 'other', address: 'https://social.example', node: 'https://one.internal' });
  let take: ((served: ReadCertificate) => void) | undefined;
  const answering = await serveStandby({
    ...{ host: '127.0.0.1', port, standby, passesOn: false },
    certificate(follow) {
      take = follow;
      follow(pair('server'));
      return () => (take = undefined);
    },
  });
  const ask = (path: string) =>
    new Promise<{ status: number | undefined; text: string; serial: string }>((resolve, reject) => {
      const agent = new Agent({ ca: [fixture('authority.pem'), fixture('renewed.pem')] });
      const asked = request(`https://127.0.0.1:${port}${path}`, { agent }, (answer) => {
        const { serialNumber: serial } = (answer.socket as TLSSocket).getPeerCertificate();
        let text = '';
        answer.on('data', (chunk) => (text += chunk));
        answer.on('end', () => resolve({ status: answer.statusCode, text, serial }));
      });
      asked.on('error', reject).end();
    });
  const first = await ask('/api/v1/instance');
  expect(first).toMatchObject({
    status: 503,
    text: '{"error":"This node stands by: https://social.example is served by the node https://one.internal."}',
  });
  take!(pair('renewed'));
  const second = await ask('/health');
  expect(second).toMatchObject({ status: 200, text: 'STANDBY' });
  standby.sees(undefined);
  expect(await ask('/api/v1/instance')).toMatchObject({
    status: 503,
    text: '{"error":"This node stands by: nobody serves at the moment."}',
  });
  expect(second.serial).not.toBe(first.serial);
  // Who speaks without TLS gets no answer, and harms nobody.
  await expect(fetch(`http://127.0.0.1:${port}/health`)).rejects.toThrow();
  expect((await ask('/health')).text).toBe('STANDBY');
  await answering.close();
  expect(take).toBeUndefined();
});
