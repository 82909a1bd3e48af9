/** What a log asks of real NATS servers, and which it refuses. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NatsConnection, Server } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LeaseUnanswered } from '../../../src/runtime/cluster/lease.ts';
import {
  answeredOrLeft,
  connectionOptions,
  type NatsAddress,
  type NatsClient,
  natsAccess,
} from '../../../src/runtime/cluster/nats-access.ts';
import { NatsLease } from '../../../src/runtime/cluster/nats-lease.ts';
import {
  assertServersKeep,
  assertStreamKeeps,
  createStream,
  majorityOf,
  streamOfPartition,
} from '../../../src/runtime/cluster/nats-servers.ts';
import { NatsStream } from '../../../src/runtime/cluster/nats-stream.ts';
import { StreamUnanswered } from '../../../src/runtime/cluster/stream.ts';
import { makeAccounts } from '../../support/nats-accounts.ts';
import {
  type NatsServer,
  type NatsServerOptions,
  natsProgram,
  startNatsServer,
  survey,
} from '../../support/nats-server.ts';
import { until } from '../../support/until.ts';

const nats = natsProgram();
if (nats.missing !== undefined) console.warn(`Streams in NATS servers are not tested: ${nats.missing}.`);

const day = 86_400_000_000_000;
const bytes = (text: string) => Buffer.from(text);
/** For localhost. */
const fixture = (file: string) => join(import.meta.dirname, '../../server/fixtures', file);

// because it needs a program that not every machine has; where the whole project is checked it must be there
describe.skipIf(nats.missing !== undefined)('NATS servers', () => {
  let parent: string;
  let server: NatsServer;
  let client: NatsClient;

  beforeAll(async () => {
    parent = mkdtempSync(join(tmpdir(), 'murmuration-nats-'));
    server = await started({});
    client = await natsAccess(server.address).client();
  });
  afterAll(async () => {
    await client.connection.close();
    await server.stop();
    rmSync(parent, { recursive: true, force: true });
  });

  const started = (options: Omit<NatsServerOptions, 'folder'>) =>
    startNatsServer(nats.path, { folder: mkdtempSync(join(parent, 'server-')), ...options });

  async function newStream(partition: number): Promise<NatsStream> {
    await createStream(client, partition, 1);
    return opened(partition);
  }

  /** Answers are waited for as long as a busy machine takes, unless none is to come. */
  const opened = (partition: number, answerMilliseconds = 20_000) =>
    new NatsStream({ access: natsAccess(server.address, answerMilliseconds), ...streamOfPartition(partition) });

  test('a record is stored only behind the one that is expected, and carries no id for servers to remember', async () => {
    const stream = await newStream(1);
    expect(await stream.publish(bytes('one'), 0)).toEqual({ kind: 'stored', sequence: 1 });
    expect(await stream.publish(bytes('other'), 0)).toMatchObject({ kind: 'conflict' });
    expect(await stream.publish(bytes('two'), 1)).toEqual({ kind: 'stored', sequence: 2 });
    // The same bytes once more are another record.
    expect(await stream.publish(bytes('two'), 2)).toEqual({ kind: 'stored', sequence: 3 });
    const { streams } = client.manager;
    const message = await streams.getMessage(streamOfPartition(1).name, { seq: 3 });
    expect(message!.header.keys()).toEqual(['Nats-Expected-Last-Sequence']);
    expect(await stream.bounds()).toEqual({ first: 1, last: 3 });
    await stream.close();
  });

  test('many records are read from any position, and what was truncated is gone', async () => {
    const stream = await newStream(2);
    const all = Array.from({ length: 40 }, (_, index) => stream.publish(bytes(`record ${index + 1}`), index));
    expect((await Promise.all(all)).map(({ kind }) => kind)).toEqual(Array(40).fill('stored'));
    const read = async (from: number, to: number) => {
      const found: string[] = [];
      for await (const { sequence, bytes: record } of stream.replay(from, to))
        found.push(`${sequence} ${Buffer.from(record).toString()}`);
      return found;
    };
    const expected = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, index) => `${from + index} record ${from + index}`);
    expect(await read(3, 5)).toEqual(expected(3, 5));
    expect(await read(2, 40)).toEqual(expected(2, 40));
    await stream.truncate(30);
    expect([await stream.bounds(), await stream.get(29)]).toEqual([{ first: 30, last: 40 }, undefined]);
    expect(await read(30, 40)).toEqual(expected(30, 40));
    await stream.close();
  });

  test('a full stream says so', async () => {
    const stream = await newStream(3);
    const { streams } = client.manager;
    await streams.update(streamOfPartition(3).name, { max_bytes: 1_000 });
    expect(await stream.publish(new Uint8Array(500), 0)).toMatchObject({ kind: 'stored' });
    expect(await stream.publish(new Uint8Array(500), 1)).toMatchObject({ kind: 'full' });
    await stream.close();
  });

  test('a server that is silent leaves questions and appends without an answer, and goes on afterwards', async () => {
    const stream = await newStream(4);
    await stream.publish(bytes('one'), 0);
    const impatient = opened(4, 500);
    await impatient.recordBytesMax();
    await server.freeze();
    expect(await impatient.publish(bytes('two'), 1)).toMatchObject({ kind: 'unanswered' });
    await expect(impatient.bounds()).rejects.toBeInstanceOf(StreamUnanswered);
    server.goOn();
    // Whichever of the two comes first.
    expect((await stream.publish(bytes('two'), 1)).kind).toMatch(/^(stored|conflict)$/);
    expect(await stream.bounds()).toEqual({ first: 1, last: 2 });
    await Promise.all([stream.close(), impatient.close()]);
  });

  test('the end of a stream is told by its leader alone, and by none that is cut off', async () => {
    const told = (leader: string | undefined, ...replicas: readonly { name: string; active: number }[]) => {
      const info = { config: { num_replicas: 3 }, state: { first_seq: 1, last_seq: 7 }, cluster: { leader, replicas } };
      const connection = { getServer: () => 'one', isClosed: () => true };
      const found = { connection, manager: { streams: { info: () => Promise.resolve(info) } } };
      const access = {
        answerMilliseconds: 1,
        client: () => Promise.resolve(found as unknown as NatsClient),
        close: () => Promise.resolve(),
      };
      return new NatsStream({ access, ...streamOfPartition(1) }).bounds();
    };
    const seconds = 1_000_000_000;
    const [two, three] = [
      { name: 'two', active: seconds },
      { name: 'three', active: 60 * seconds },
    ];
    expect(await told('one', two, three)).toEqual({ first: 1, last: 7 });
    await expect(told('one', { ...two, active: 5 * seconds }, three)).rejects.toBeInstanceOf(StreamUnanswered);
    await expect(told('two', two, three)).rejects.toBeInstanceOf(StreamUnanswered);
    await expect(told(undefined, two, three)).rejects.toBeInstanceOf(StreamUnanswered);
  });

  test('a lease is changed by whoever knows its revision', async () => {
    const { Kvm } = await import('@nats-io/kv');
    const bucket = await new Kvm(client.connection).create('leases', { history: 1 });
    const lease = new NatsLease(bucket, client.connection, 20_000);
    const [one, other] = ['one', 'other'].map((session) => ({ session, address: `https://${session}.example` }));
    expect(await lease.read()).toBeUndefined();
    const first = await lease.write(one, 0);
    expect([await lease.write(other, 0), await lease.read()]).toEqual([undefined, { revision: first, holder: one }]);
    const second = await lease.write(one, first!);
    expect([second! > first!, await lease.write(other, first!)]).toEqual([true, undefined]);
    const given = await lease.write(undefined, second!);
    expect(await lease.read()).toEqual({ revision: given, holder: undefined });
    expect(await lease.write(other, given!)).toBeGreaterThan(given!);
    await server.freeze();
    await expect(new NatsLease(bucket, client.connection, 500).write(other, given!)).rejects.toBeInstanceOf(
      LeaseUnanswered,
    );
    server.goOn();
    // It was left, and nobody else is there.
    await until(() => lease.read(), { description: 'a server that answers again' });
  });

  test('servers are refused that confirm what they have not flushed, do not tell, or are too few', async () => {
    await expect(assertServersKeep(client, 1)).resolves.toBeUndefined();
    await expect(assertServersKeep(client, 3)).rejects.toThrow(
      'Each log is to have 3 of 3 replicas, and 1 NATS servers with JetStream answer.',
    );
    await expect(assertServersKeep(client, 3, 1)).resolves.toBeUndefined();
    await expect(assertServersKeep(client, 3, 2)).rejects.toThrow(
      'Each log goes on with 2 of 3 replicas, and 1 NATS servers with JetStream answer.',
    );
    const refused = async (options: Omit<NatsServerOptions, 'folder'>) => {
      const other = await started(options);
      const access = natsAccess(other.address);
      try {
        return await assertServersKeep(await access.client(), 1).then(
          () => 'accepted',
          ({ message }: Error) => message,
        );
      } finally {
        await access.close();
        await other.stop();
      }
    };
    expect(await refused({ sync: '"2m"' })).toMatch(/confirms what a power failure would take away: set sync_interval/);
    expect(await refused({ tells: false })).toMatch(/do not tell whether they flush what they confirm/);
  });

  test('one of three may be away at a start, and none where logs are made', async () => {
    const varz = (name: string) => ({
      json: () => ({ server: { name, ver: '2.12.0' }, data: { jetstream: { config: { sync_always: true } } } }),
    });
    const connection = {
      info: { version: '2.12.0' },
      requestMany: () => Promise.resolve([varz('one'), varz('two')]),
    } as unknown as NatsConnection;
    await expect(assertServersKeep({ connection }, 3, majorityOf(3))).resolves.toBeUndefined();
    await expect(assertServersKeep({ connection }, 3)).rejects.toThrow('and 2 NATS servers with JetStream answer.');
    await expect(assertServersKeep({ connection }, 5, majorityOf(5))).rejects.toThrow(
      'goes on with 3 of 5 replicas, and 2',
    );
  });

  test('of several servers an old one is refused, and one that does not flush, whichever the connection has', async () => {
    const among = async (ver: string, sync_always: boolean) => {
      const varz = (name: string, of: { ver: string; sync_always: boolean }) => ({
        json: () => ({
          server: { name, ver: of.ver },
          data: { jetstream: { config: { sync_always: of.sync_always } } },
        }),
      });
      const sound = { ver: '2.15.1', sync_always: true };
      const connection = {
        info: { version: '2.15.1' },
        requestMany: () =>
          Promise.resolve([varz('one', sound), varz('two', sound), varz('three', { ver, sync_always })]),
      } as unknown as NatsConnection;
      return await assertServersKeep({ connection }, 3).catch(({ message }: Error) => message);
    };
    expect(await among('2.12.0', true)).toBeUndefined();
    expect(await among('2.11.15', true)).toBe('The NATS server three has version 2.11.15; at least 2.12 is needed.');
    expect(await among('2.15.1', false)).toMatch(
      /^The NATS server three confirms what a power failure would take away/,
    );
  });

  test('connections are encrypted, and prove who asks by a password or a file of credentials', async () => {
    const certificate = { file: fixture('server.pem'), key: fixture('server-key.pem') };
    const [authoritiesFile, credentialsFile] = [fixture('authority.pem'), join(parent, 'user.creds')];
    const { configuration, credentials } = makeAccounts(survey);
    writeFileSync(credentialsFile, credentials);
    const withPassword = await started({ certificate });
    const withCredentials = await started({ certificate, accounts: configuration });
    const url = ({ port }: NatsServer, user = '') => [`tls://${user}localhost:${port}`];
    const connected = async (address: NatsAddress): Promise<string> => {
      const access = natsAccess(address);
      try {
        const asked = await access.client();
        await assertServersKeep(asked, 1);
        await createStream(asked, 1, 1);
        const stream = new NatsStream({ access, ...streamOfPartition(1) });
        return (await stream.publish(bytes('one'), 0)).kind;
      } catch (error) {
        return String(error);
      } finally {
        await access.close();
      }
    };
    const password = { credentialsFile: undefined, servers: url(withPassword, 'murmuration:secret@') };
    expect(await connected({ ...password, authoritiesFile })).toBe('stored');
    expect(await connected({ ...password, authoritiesFile: undefined })).toContain(
      'unable to verify the first certificate',
    );
    const wrong = url(withPassword, 'murmuration:other@');
    expect(await connected({ ...password, servers: wrong, authoritiesFile })).toContain('Authorization Violation');
    // Nobody falls back to a connection that others can read.
    const open = [`tls://murmuration:secret@127.0.0.1:${server.port}`];
    expect(await connected({ ...password, servers: open, authoritiesFile })).toContain("does not support 'tls'");
    const proven = { servers: url(withCredentials), authoritiesFile };
    expect(await connected({ ...proven, credentialsFile })).toBe('stored');
    writeFileSync(credentialsFile, makeAccounts(survey).credentials);
    expect(await connected({ ...proven, credentialsFile })).toContain('Authorization Violation');
    await Promise.all([withPassword.stop(), withCredentials.stop()]);
  });

  test('a server of before 2.12 is refused', async () => {
    const connection = {
      info: { version: '2.11.9' },
      getServer: () => 'one.example.org:4222',
    } as unknown as NatsConnection;
    await expect(assertServersKeep({ connection }, 1)).rejects.toThrow(
      'The NATS server one.example.org:4222 has version 2.11.9; at least 2.12 is needed.',
    );
  });

  test('a stream that was changed, or is missing, is no log', async () => {
    await createStream(client, 5, 1);
    await expect(assertStreamKeeps(client, 5, 1)).resolves.toBeUndefined();
    await expect(assertStreamKeeps(client, 5, 3)).rejects.toThrow(
      'The stream murmuration-log-5 has num_replicas 1, not 3.',
    );
    const { streams } = client.manager;
    await streams.update('murmuration-log-5', { max_age: day, duplicate_window: 60_000_000_000 });
    await expect(assertStreamKeeps(client, 5, 1)).rejects.toThrow(
      `The stream murmuration-log-5 has max_age ${day}, not 0.`,
    );
    await expect(assertStreamKeeps(client, 99, 1)).rejects.toThrow('The stream murmuration-log-99 is missing.');
  });
});

test('a file of credentials that cannot be read is named', async () => {
  const address = { servers: ['nats://one'], credentialsFile: '/nowhere', authoritiesFile: undefined };
  await expect(natsAccess(address).client()).rejects.toThrow('The file of credentials /nowhere cannot be read.');
});

test('a server that gives no answer is left, but not one after the other, and one that refuses is not', async () => {
  let times = 0;
  const reconnect = async () => {
    times += 1;
  };
  const connection = { getServer: () => 'one', isClosed: () => false, reconnect } as unknown as NatsConnection;
  const refusal = Object.assign(new Error('it ends elsewhere'), { name: 'JetStreamApiError', code: 10_071 });
  await expect(answeredOrLeft(connection, () => Promise.reject(refusal))).rejects.toBe(refusal);
  expect(times).toBe(0);
  const silence = new Error('silence');
  await expect(answeredOrLeft(connection, () => Promise.reject(silence))).rejects.toBe(silence);
  await expect(answeredOrLeft(connection, () => Promise.reject(silence))).rejects.toBe(silence);
  expect(times).toBe(1);
});

test('whoever loses a server goes on with the one that was tried longest ago, and not with the same again', () => {
  const address = { servers: ['nats://one', 'nats://two'], credentialsFile: undefined, authoritiesFile: undefined };
  const { reconnectToServer } = connectionOptions(address);
  const [lost, tried, next] = [9, 5, 2].map((lastConnect) => ({ lastConnect }) as Server);
  expect(reconnectToServer!([lost!, tried!, next!], null)).toBe(next);
});

test('names and passwords are taken from addresses, and encryption from their scheme', () => {
  const address = { credentialsFile: undefined, authoritiesFile: undefined };
  const plain = connectionOptions({
    ...address,
    servers: ['nats://me:p%40ss@one.example.org', 'nats://two.example.org:5000'],
  });
  expect(plain).toMatchObject({ servers: ['one.example.org', 'two.example.org:5000'], user: 'me', pass: 'p@ss' });
  expect(plain.tls).toBeUndefined();
  expect(connectionOptions({ ...address, servers: ['tls://one.example.org'] }).tls).toEqual({});
});
