/** The load tool against this server, in small: sessions, streams, what is cut off and comes back, the command itself. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Report } from '../../../bench/load/report/report.ts';
import { scenarioNames } from '../../../bench/load/scenario/read-scenario.ts';
import { type RunningServer, startTestServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { runLoad } from './asking.ts';

let server: RunningServer;
const folder = mkdtempSync(join(tmpdir(), 'load-'));
const tokens = join(folder, 'tokens');

beforeAll(async () => {
  server = await startTestServer();
  const [alice, bob] = [await server.createUser('alice'), await server.createUser('bob')];
  writeFileSync(tokens, `${alice.token}\n${bob.token}\n`);
});

afterAll(async () => {
  rmSync(folder, { recursive: true });
  expect(await server.stop()).toBe(0);
});

const quick = (...more: string[]) => [
  `--server=${server.origin}`,
  `--tokens=${tokens}`,
  '--seconds=1',
  '--warm-up-seconds=0',
  ...more,
];

interface ReceiptFacts {
  readonly posts: number;
  readonly received: number;
  readonly missing: number;
  readonly doubled: number;
}

/** Of everything that was asked, but what could not be asked because a home was still empty. */
function failuresOf({ latencies }: Report): string[] {
  const failures = Object.entries(latencies).flatMap(([name, { errors }]) =>
    Object.keys(errors).map((kind) => `${name}: ${kind}`),
  );
  return failures.filter((failure) => !failure.includes('skipped'));
}

/** The others are about a relay. */
const scenarios = {
  'reading-evening': { seconds: 2, size: 0.1, measured: ['home', 'instance', 'notifications', 'receipt'] },
  'viral-post': { seconds: 2, size: 0.2, measured: ['status', 'thread', 'receipt'] },
  'reconnect-storm': { seconds: 2, size: 0.005, measured: ['receipt', 'receipt during the storm', 'reconnected'] },
  recovery: {
    seconds: 4,
    size: 0.02,
    measured: ['delivery', 'delivery, while others fail', 'delivery to those that fail', 'home'],
  },
};

test('each scenario is tested', () => {
  expect([...Object.keys(scenarios), 'relay'].toSorted()).toEqual(scenarioNames());
});

const isLong = process.env.MURMURATION_LONG_TESTS !== undefined;
/** The long suite has the one that waits for retries as well. */
const played = Object.entries(scenarios).filter(([name]) => isLong || name !== 'recovery');

test.each(played)('the scenario %s, in small: everything of it is answered', async (name, known) => {
  const { code, report, said } = await runLoad(
    'run',
    name,
    ...quick(`--seconds=${known.seconds}`, `--size=${known.size}`, `--pid=${server.process.pid}`),
  );
  expect({ code, said }).toMatchObject({ code: 0 });
  const found = report();
  expect(failuresOf(found)).toEqual([]);
  expect(known.measured.filter((measured) => !((found.latencies[measured]?.count ?? 0) > 0))).toEqual([]);
  expect(found.usage.serverMegabytesMost).toBeGreaterThan(10);
});

test.each([
  ['cavage', 'rsa'],
  ['rfc9421', 'rsa'],
  ['rfc9421', 'ed25519'],
])('activities signed in %s with %s are taken, and notify whom they mention', async (dialect, keyType) => {
  const [token] = readFileSync(tokens, 'utf8').split('\n');
  const mentions = async () =>
    (
      (await (
        await server.fetch('/api/v1/notifications?types[]=mention&limit=80', { token: token! })
      ).json()) as unknown[]
    ).length;
  const before = await mentions();
  const { code, report, said } = await runLoad(
    'inbox',
    ...quick('--senders=4', '--rate=6', '--keys=2', `--dialect=${dialect}`, `--key-type=${keyType}`),
  );
  expect({ code, said }).toMatchObject({ code: 0 });
  expect(failuresOf(report())).toEqual([]);
  expect(report().latencies.activity!.count).toBe(6);
  expect(await mentions()).toBe(before + 6);
});

describe('streams', () => {
  test.each(['websocket', 'sse', 'both'])('over %s get every post once', async (transport) => {
    const { code, report } = await runLoad(
      'stream',
      ...quick('--sockets=12', '--rate=8', '--posters=2', `--transport=${transport}`),
    );
    expect(code).toBe(0);
    const { parts, latencies } = report();
    expect(parts[0]).toMatchObject({
      postsAsked: 8,
      closedByServer: 0,
      receipts: { posts: 8, received: 96, missing: 0, doubled: 0, outOfOrder: 0 },
    });
    expect(latencies.receipt!.count).toBe(96);
    expect(latencies.post!.errors).toEqual({});
  });

  test('that are cut off at once come back, and resume without loss', async () => {
    const { code, report } = await runLoad(
      'stream',
      ...quick(
        '--sockets=20',
        '--storm-sockets=16',
        '--storm-at-seconds=0.4',
        '--storm-within-seconds=0.3',
        '--rate=20',
        '--transport=both',
      ),
    );
    expect(code).toBe(0);
    const { parts, latencies } = report();
    const facts = parts[0] as unknown as {
      receipts: ReceiptFacts;
      storm: { receipts: ReceiptFacts; resumed: boolean; streams: number };
    };
    expect(facts.receipts).toMatchObject({ posts: 20, received: 80, missing: 0, doubled: 0 });
    expect(facts.storm).toMatchObject({ streams: 16, resumed: true });
    expect(facts.storm.receipts).toMatchObject({ received: 320, missing: 0, doubled: 0 });
    expect(latencies.reconnected!.count).toBe(16);
    expect(latencies['receipt during the storm']!.count).toBeGreaterThan(0);
  });

  test('of homes: what each is to get is told from what it gets', async () => {
    const { report } = await runLoad('stream', ...quick('--sockets=4', '--channel=user', '--rate=10'));
    // Two of four are of the author; nobody follows her.
    expect(report().parts[0]).toMatchObject({ receipts: { posts: 10, received: 20, missing: 0, doubled: 0 } });
  });
});

test('the command ends with its report when it is interrupted', async () => {
  const child = spawn(
    process.execPath,
    ['src/start.mjs', 'load', 'http', ...quick('--seconds=300', '--rate=20', '--mix=notifications=1')],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let [output, said] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const ended = new Promise<number | null>((done) => child.once('close', (code) => done(code)));
  await until(() => /0 of 300 s/.test(said), { description: 'the run to have begun' });
  child.kill('SIGINT');
  expect(await ended).toBe(130);
  expect(output.split('\n')).toHaveLength(2);
  expect(JSON.parse(output)).toMatchObject({ interrupted: true, scenario: 'http' });
  expect(said).toContain('Ended early');
});
