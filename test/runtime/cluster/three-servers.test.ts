/** A log over three real NATS servers: one that is away holds nothing up, and without two nothing is acknowledged. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { natsAccess } from '../../../src/runtime/cluster/nats-access.ts';
import { createStream, streamOfPartition } from '../../../src/runtime/cluster/nats-servers.ts';
import { NatsStream } from '../../../src/runtime/cluster/nats-stream.ts';
import { StreamLog } from '../../../src/runtime/cluster/stream-log.ts';
import type { LogRefusal } from '../../../src/runtime/storage/log.ts';
import { systemClock } from '../../../src/runtime/threads/clock.ts';
import { follow } from '../../../src/server/cluster/follow.ts';
import { pause } from '../../support/cluster-nodes.ts';
import { MemoryStore } from '../../support/memory-log.ts';
import { type NatsServer, type NatsServers, natsProgram, startNatsServers } from '../../support/nats-server.ts';
import { until } from '../../support/until.ts';
import { append, key, recordOf, textOf } from '../support/log-batches.ts';
import { answerOf } from '../support/logs.ts';
import { MemoryView } from '../support/stream-owner.ts';

const nats = natsProgram();
if (nats.missing !== undefined) console.warn(`Logs over three NATS servers are not tested: ${nats.missing}.`);

/** An election takes up to nine seconds, more on a busy machine. */
const patient = { whole: 25_000, answer: 3_000 };
/** For what nobody is there to confirm. */
const impatient = { whole: 300, answer: 300 };
const { name, ...names } = streamOfPartition(1);

// because it needs a program that not every machine has; where the whole project is checked it must be there
describe.skipIf(nats.missing !== undefined)('three NATS servers', () => {
  let folder: string;
  let servers: NatsServers;
  let log: StreamLog;
  let patience = patient;
  let last = 0;
  const isLong = process.env.MURMURATION_LONG_TESTS !== undefined;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'murmuration-three-'));
    servers = await startNatsServers(nats.path, folder);
    const access = natsAccess(servers.address);
    await createStream(await access.client(), 1, 3);
    await access.close();
    log = newLog();
    expect(await answerOf((answer) => log.open(1, answer))).toEqual({ position: 0, epoch: 1 });
  });
  afterAll(async () => {
    await log.close();
    await servers.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  function newLog(): StreamLog {
    const { client, close } = natsAccess(servers.address);
    const access = {
      ...{ client, close },
      get answerMilliseconds() {
        return patience.answer;
      },
    };
    return new StreamLog({
      ...{ stream: new NatsStream({ access, name, ...names }), store: new MemoryView(new MemoryStore()) },
      ...{ writer: randomUUID(), clock: systemClock, pause },
      get patienceMilliseconds() {
        return patience.whole;
      },
    });
  }

  /** Four appends under way at a time. Returns what became of them. */
  async function write(): Promise<string> {
    const positions = [1, 2, 3, 4].map((step) => last + step);
    const outcomes = await Promise.all(
      positions.map((position) =>
        append(log, recordOf(position, 1, { last: String(position) })).then(
          () => 'done',
          ({ reason }: LogRefusal) => reason,
        ),
      ),
    );
    last += outcomes.filter((outcome) => outcome === 'done').length;
    return [...new Set(outcomes)].join();
  }

  async function withoutTwo(): Promise<void> {
    patience = impatient;
    expect(await write()).toBe('unknown');
    patience = patient;
  }

  /** The tail tells what has arrived all the same; it goes on from there, and others read it. */
  async function goesOn(): Promise<void> {
    const tail = await until(async () => {
      const found = await answerOf((answer) => log.tail(answer));
      return typeof found === 'string' ? undefined : found;
    });
    expect(tail.position).toBeGreaterThanOrEqual(last);
    expect(tail.position).toBeLessThanOrEqual(last + 4);
    last = tail.position;
    expect(await write()).toBe('done');
    const reader = newLog();
    await follow([reader], { caughtUp: () => undefined, pause });
    reader.reader.refresh();
    expect(textOf(reader.reader.get(key('last')))).toBe(String(last));
    await reader.close();
  }

  async function followers(): Promise<readonly NatsServer[]> {
    const leader = await servers.leaderOf(name);
    return servers.servers.filter((server) => server !== leader);
  }

  test('one that stands still holds nothing up; without two nothing is acknowledged until they are back', async () => {
    expect(await write()).toBe('done');
    const [one, two] = (await followers()) as [NatsServer, NatsServer];
    await one.freeze();
    expect(await write()).toBe('done');
    await two.freeze();
    await withoutTwo();
    for (const server of [one, two]) server.goOn();
    await goesOn();
  });

  // because elections take seconds
  test.runIf(isLong)(
    'its leader is killed: the others choose another one, and it goes on',
    { timeout: 90_000 },
    async () => {
      const leader = await servers.leaderOf(name);
      await leader.stop();
      expect(await write()).toBe('done');
      await leader.start();
      await goesOn();
    },
  );

  // because elections take seconds
  test.runIf(isLong)('two are killed, and then all', { timeout: 180_000 }, async () => {
    const [one] = (await followers()) as [NatsServer];
    const two = await servers.leaderOf(name);
    await Promise.all([one.stop(), two.stop()]);
    await withoutTwo();
    await Promise.all([one.start(), two.start()]);
    await goesOn();
    await Promise.all(servers.servers.map((server) => server.stop()));
    await withoutTwo();
    await Promise.all(servers.servers.map((server) => server.start()));
    await goesOn();
  });
});
