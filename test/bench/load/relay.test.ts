/** The fleet of the load tool against this server as a relay, in small: who is well gets everything once and in order. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { type RunningServer, startTestServer } from '../../support/server.ts';
import { runLoad } from './asking.ts';

let server: RunningServer;
let port: number;

beforeAll(async () => {
  port = await freePort('0.0.0.0');
  server = await startTestServer({
    environment: { MURMURATION_PROFILE: 'relay', MURMURATION_RELAY_SUBSCRIPTIONS: 'open' },
  });
});

afterAll(async () => {
  await server.stop();
});

const once = { missing: 0, doubled: 0, outOfOrder: 0 };

test('subscribers of all kinds: signatures verified, each post once and in order, however many others fail', async () => {
  const { code, report, said } = await runLoad(
    'fleet',
    `--server=${server.origin}`,
    `--port=${port}`,
    '--seconds=2',
    '--warm-up-seconds=0',
    '--subscribers=20',
    '--senders=3',
    '--rate=15',
    '--behaviours=dead=0.2,stalling=0.1,failing=0.1,strict=0.1,slow=0.1,modern=0.1',
    '--litepub=0.5',
    '--slow-milliseconds=50',
    '--bad-from-seconds=1',
    '--keys=2',
  );
  expect({ code, said }).toMatchObject({ code: 0 });
  const { parts, latencies, warnings } = report();
  expect(parts[0]).toMatchObject({
    postsAsked: 30,
    subscribed: 23,
    litepub: 10,
    receipts: {
      healthy: { servers: 6, posts: 30, received: 180, ...once },
      modern: { servers: 2, received: 60, ...once },
      strict: { servers: 2, received: 60, ...once },
      slow: { servers: 2, received: 60, ...once },
      dead: { servers: 4 },
    },
  });
  expect(warnings.filter((warning) => warning.startsWith('Of servers'))).toEqual([]);
  const { deliveries } = parts[0] as unknown as { deliveries: Record<string, number> };
  // Most take one signature for all; it was shown before that they look at it.
  expect(deliveries['verified, signed for all']).toBeGreaterThan(0);
  expect(deliveries['verified, signed for the host']).toBeGreaterThan(0);
  expect(deliveries['refused: signature does not match']).toBeGreaterThan(0);
  expect(latencies.delivery!.count).toBeGreaterThan(0);
  expect(latencies['delivery, while others fail']!.count).toBeGreaterThan(0);
});

test('the scenario of a relay, in small, with posts that are announced; all leave in the end', async () => {
  const announced = await runLoad(
    'fleet',
    `--server=${server.origin}`,
    `--port=${port}`,
    '--announced=true',
    '--seconds=1',
    '--warm-up-seconds=0',
    '--rate=5',
    '--subscribers=3',
    '--senders=1',
    '--keys=1',
  );
  expect(announced.report().parts[0]).toMatchObject({ receipts: { healthy: { posts: 5, received: 15, ...once } } });
  const { code, report, said } = await runLoad(
    'run',
    'relay',
    `--server=${server.origin}`,
    '--size=0.005',
    '--seconds=2',
    '--warm-up-seconds=0',
  );
  expect({ code, said }).toMatchObject({ code: 0 });
  const { receipts } = report().parts[0] as unknown as { receipts: Record<string, Record<string, number>> };
  expect(receipts.healthy).toMatchObject(once);
  expect(
    await (await server.fetch('/relay/status.json', { headers: { accept: 'application/json' } })).json(),
  ).toMatchObject({
    subscribers: { active: 0 },
  });
});

test('who cannot subscribe is told why', async () => {
  const { code, said } = await runLoad(
    'fleet',
    `--server=${server.origin}`,
    `--port=${port}`,
    '--relay-inbox=/nowhere',
    '--subscribers=2',
    '--keys=1',
  );
  expect(code).toBe(1);
  expect(said).toMatch(/\/nowhere refuses to be followed[\s\S]*MURMURATION_RELAY_SUBSCRIPTIONS=open/);
});
