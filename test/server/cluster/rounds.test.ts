/**
 * Two nodes and three NATS servers as processes, with a proxy in front, under posts, a stream and a follower on another server, while one
 * of them after the other is killed, stands still, starts again, hands over or is cut off. `npm run test:cluster` plays a hundred rounds,
 * and the long suite each kind once. Where network namespaces can be made each process has a machine of its own, which can be cut off.
 * The normal suite plays the five kinds that need no waiting. How long writes stand still is not checked there: other tests take the
 * processors meanwhile.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:net';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadOptions } from '../../../src/options/load.ts';
import { slotOfId } from '../../../src/runtime/ids.ts';
import { evenPlacement } from '../../../src/runtime/placement.ts';
import { initCluster } from '../../../src/server/cluster/init.ts';
import { openDataFolder } from '../../../src/server/folder/data-folder.ts';
import { askAdmin } from '../../support/admin.ts';
import { BareWriter } from '../../support/bare-writer.ts';
import { ClusterNode, Front, patiently, pause, startProxy, waitedMilliseconds } from '../../support/cluster-nodes.ts';
import { freePort } from '../../support/free-port.ts';
import { Machines } from '../../support/machines.ts';
import {
  type NatsServer,
  type NatsServers,
  natsNames,
  natsProgram,
  startNatsServers,
} from '../../support/nats-server.ts';
import { activitiesReceived, everyPost } from '../../support/posts.ts';
import { type RunningServer, startTestServer } from '../../support/server.ts';
import { longestGap, Stalls, seconds } from '../../support/stalls.ts';
import { openStream, type StreamReader } from '../../support/stream-readers.ts';
import { until } from '../../support/until.ts';
import type { User } from '../../support/users.ts';

const nats = natsProgram();
const isLong = process.env.MURMURATION_LONG_TESTS !== undefined;
const isPlayed = nats.missing === undefined;
if (nats.missing !== undefined) console.warn(`Rounds of a cluster are not played: ${nats.missing}.`);
const uncut = isPlayed && isLong ? Machines.missing : 'only the long suite does';
if (isPlayed && isLong && uncut !== undefined) console.warn(`No machine is cut off in rounds of a cluster: ${uncut}.`);

type Kind = readonly [name: string, play: () => Promise<unknown>];

const partitions = 2;
const nodeNames = ['node-one', 'node-two'] as const;
const troubledMilliseconds = 15_000;
/** Ten seconds of a lease, and some two in which the next node begins: besides what nobody's records are confirmed for in the same round. */
const stallMillisecondsMax = 12_000;
const answerMilliseconds = 8_000;
const writerMilliseconds = isLong ? 50 : 250;
/** What a node has sent when it ends, and not noted yet, is sent again: requests that are under way, and those of the last moment. */
const sentAgainMax = 32;

// because it needs a program that not every machine has; where the whole project is checked it must be there
describe.skipIf(!isPlayed)('rounds', () => {
  let parent: string;
  let machines: Machines | undefined;
  let servers: NatsServers;
  let nodes: readonly ClusterNode[] = [];
  let bare: BareWriter;
  let front: Front;
  let proxy: Server | undefined;
  let remote: RunningServer | undefined;
  let alice: User;
  let follower: User;
  let metricsPort: number;
  let authority: string;
  const acknowledged: { text: string; id: string; at: number }[] = [];
  const events: string[] = [];
  const gaps: string[] = [];
  let isOver = false;
  const work: Promise<void>[] = [];

  beforeAll(async () => {
    parent = mkdtempSync(join(tmpdir(), 'murmuration-rounds-'));
    if (uncut === undefined) machines = new Machines([...natsNames, ...nodeNames]);
    const own = machines?.own ?? '127.0.0.1';
    servers = await startNatsServers(nats.path, join(parent, 'nats'), machines);
    const port = await freePort();
    const checks = await freePort();
    authority = `http://${own}:${port}`;
    const one = join(parent, nodeNames[0]);
    const environment = { MURMURATION_PARTITIONS: String(partitions) };
    const embedded = await startTestServer({ dataDirectory: one, host: own, port, environment });
    alice = await embedded.createUser('alice');
    await embedded.stop();
    const media = join(parent, 'media');
    mkdirSync(media);
    const clustered = {
      ...{ MURMURATION_CLUSTER: servers.address.servers.join(','), MURMURATION_CLUSTER_REPLICAS: '3' },
      MURMURATION_MEDIA_FOLDER: media,
    };
    const options = loadOptions({ environment: clustered, configurationFolder: parent, arguments: [] });
    const { signal } = new AbortController();
    await initCluster(openDataFolder(one), { options, replace: false, signal, show: () => undefined });
    cpSync(one, join(parent, nodeNames[1]), { recursive: true });
    nodes = nodeNames.map((name, index) => {
      const { address: host, prefix } = machines?.at(name) ?? { address: `127.0.0.${index + 2}`, prefix: [] };
      const origin = `http://${host}:${port}`;
      const environment = {
        ...{ MURMURATION_HEALTH_PORT: String(checks), MURMURATION_HEALTH_HOST: host },
        ...process.env,
        ...clustered,
        ...{ NODE_ENV: 'test', MURMURATION_PORT: String(port), MURMURATION_HOST: host },
        ...{
          MURMURATION_ORIGIN: authority,
          MURMURATION_CLUSTER_NODE: origin,
          MURMURATION_DATA_DIR: join(parent, name),
        },
        ...{ MURMURATION_RATE_LIMITS: 'off', MURMURATION_LOG_LEVEL: 'warn', MURMURATION_SEARCH: 'off' },
        ...{ MURMURATION_FEDERATION_ALLOW_PRIVATE: 'on', MURMURATION_FEDERATION_ALLOW_HTTP: 'on' },
      };
      return new ClusterNode(name, { origin, checks: `http://${host}:${checks}`, environment, prefix });
    });
    front = new Front(nodes);
    proxy = await startProxy(own, port, front);
    metricsPort = await freePort();
    const counting = { MURMURATION_METRICS_PORT: String(metricsPort) };
    remote = await startTestServer({ host: machines?.own ?? '127.0.0.9', environment: counting });
    follower = await remote.createUser('bob');
    await standing();
    const found = await remote.fetch(`/api/v2/search?q=@alice@${own}:${port}&resolve=true`, { token: follower.token });
    const [account] = ((await found.json()) as { accounts: { id: string }[] }).accounts;
    await remote.fetch(`/api/v1/accounts/${account!.id}/follow`, { method: 'POST', token: follower.token });
    await patiently(hasFollower, 'the follower at the server that is followed');
    bare = await BareWriter.begin(servers);
    work.push(post(0), post(1), listen());
  }, 400_000);

  afterAll(async () => {
    isOver = true;
    await Promise.all(work);
    machines?.heal();
    await Promise.all(nodes.map((node) => node.end()));
    await bare?.end();
    front?.close();
    proxy?.close();
    await remote?.stop();
    await servers.stop();
    machines?.remove();
    rmSync(parent, { recursive: true, force: true });
  }, 180_000);

  /** The other server takes an account that is not locked for followed at once, before that one's knows. */
  async function hasFollower(): Promise<boolean> {
    const answer = await fetch(`${authority}/api/v1/accounts/${alice.id}/followers`, {
      headers: { authorization: `Bearer ${alice.token}` },
    });
    return ((await answer.json()) as unknown[]).length === 1;
  }

  async function serving(): Promise<ClusterNode> {
    return await until(() => front.serving, { description: 'a node that serves' });
  }

  /** One serves, the other stands by. */
  async function standing(): Promise<void> {
    const states = async () => (await Promise.all(nodes.map((node) => node.health()))).sort().join();
    await patiently(async () => (await states()) === 'STANDBY,UP', 'one that serves and one that stands by').catch(
      async (error: unknown) => {
        const said = nodes.map(({ origin, output }) => `${origin}: ${output.slice(-1_500)}`).join('\n');
        throw new Error(`${await states()}\n${said}`, { cause: error });
      },
    );
  }

  /** Whoever has no answer does not ask again: what became of it is open. */
  async function post(writer: number): Promise<void> {
    let node = nodes[0]!;
    for (let number = 0; !isOver; number += 1) {
      const text = `writer ${writer} number ${number}`;
      try {
        const answer = await fetch(`${node.origin}/api/v1/statuses`, {
          method: 'POST',
          headers: { authorization: `Bearer ${alice.token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ status: text }),
          signal: AbortSignal.any([front.fallsSilent(node), AbortSignal.timeout(answerMilliseconds)]),
        });
        const body = (await answer.json()) as { id: string };
        if (answer.status === 200) acknowledged.push({ text, id: body.id, at: performance.now() });
        else node = front.after(node);
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        node = front.after(node);
      }
      await pause(writerMilliseconds);
    }
  }

  /** A client that goes on where it was, at whichever node serves. */
  async function listen(): Promise<void> {
    let since: string | undefined;
    while (!isOver) {
      const node = front.serving;
      if (node === undefined) {
        await pause(100);
        continue;
      }
      let reader: StreamReader;
      try {
        reader = await openStream(node, 'websocket', { channel: 'user', token: alice.token, ...(since && { since }) });
      } catch {
        continue;
      }
      let read = 0;
      const take = () => {
        for (const { event, id, payload } of reader.events.slice(read)) {
          read += 1;
          since = id ?? since;
          if (event === 'update') events.push((payload as { id: string }).id);
          if (event === 'gap') gaps.push(`after ${since}`);
        }
      };
      const silence = front.fallsSilent(node);
      while (!isOver && !reader.isClosed() && !silence.aborted) {
        take();
        await pause(100);
      }
      take();
      reader.close();
    }
  }

  /** What is done to whom. */
  const quickKinds: readonly Kind[] = [
    ['the node that serves is killed', async () => (await serving()).child!.kill('SIGKILL')],
    ['the leader of a log is killed', () => withNats(async (server) => server.stop())],
    ['the node that serves starts again', async () => (await serving()).restart()],
    ['the node that serves hands over', async () => handOver(await serving())],
    ['the node that stands by is killed', async () => (await standingBy()).child!.kill('SIGKILL')],
  ];

  /** What takes a while. */
  const slowKinds: readonly Kind[] = [
    ['the node that serves stands still', async () => freeze(await serving())],
    ['the leader of a log stands still', () => withNats(async (server) => frozen(server))],
    [
      'the node that serves starts again while the leader of a log is away',
      () =>
        withNats(async (server) => {
          await server.stop();
          (await serving()).child!.kill('SIGKILL');
        }),
    ],
    ['the leader of a log starts again', () => withNats(async (server) => server.stop('SIGTERM'))],
    ['the node that stands by stands still', async () => freeze(await standingBy())],
    ['the node that stands by starts again', async () => (await standingBy()).restart()],
    ...(uncut === undefined ? cuts() : []),
  ];

  /** Wires that are cut for a while. */
  function cuts(): readonly Kind[] {
    return [
      ['the node that serves is cut off from the NATS servers', async () => cut((await serving()).name, natsNames)],
      ['the leader of a log is cut off from the others', () => withNats(({ name }) => cut(name!, othersOf(name!)))],
      [
        'the leader of a log is cut off from everybody',
        () => withNats(({ name }) => cut(name!, [...othersOf(name!), ...nodeNames, 'clients'])),
      ],
      [
        'two NATS servers are cut off from each other',
        () => withNats(({ name }) => cut(name!, othersOf(name!).slice(0, 1))),
      ],
      [
        'the machine that serves is cut off from everybody',
        async () => {
          const { name } = await serving();
          await cut(name, [...natsNames, ...nodeNames.filter((other) => other !== name), 'clients']);
        },
      ],
      [
        'the node that stands by is cut off from the NATS servers',
        async () => cut((await standingBy()).name, natsNames),
      ],
    ];
  }

  async function cut(name: string, others: readonly string[]): Promise<void> {
    machines!.cut(name, others);
    await pause(troubledMilliseconds);
    machines!.heal();
  }

  function othersOf(name: string): string[] {
    return natsNames.filter((other) => other !== name);
  }

  async function standingBy(): Promise<ClusterNode> {
    const node = await serving();
    return nodes.find((other) => other !== node)!;
  }

  async function freeze({ child }: ClusterNode): Promise<void> {
    child!.kill('SIGSTOP');
    await pause(troubledMilliseconds);
    child!.kill('SIGCONT');
  }

  async function handOver({ name }: ClusterNode): Promise<void> {
    expect(await askAdmin(join(parent, name), ['cluster', 'handover'])).toContain('takes over');
  }

  async function frozen(server: NatsServer): Promise<void> {
    await server.freeze();
    await pause(troubledMilliseconds);
    server.goOn();
  }

  /** The log that is written. A server that was stopped stays away for longer than an election takes. */
  async function withNats(play: (server: NatsServer) => Promise<void>): Promise<void> {
    const server = await servers.leaderOf(writtenLog());
    await play(server);
    if (server.isRunning) return;
    if (isLong) await pause(troubledMilliseconds);
    else await writesGoOn();
    await server.start();
  }

  function writtenLog(): string {
    return `murmuration-log-${evenPlacement(partitions).partitionOf(slotOfId(BigInt(alice.id)))}`;
  }

  const kinds = isLong ? [...quickKinds, ...slowKinds] : quickKinds;
  const played = Number(process.env.CLUSTER_ROUNDS ?? kinds.length);
  const chosen = kinds.filter(([name]) => name.includes(process.env.CLUSTER_KIND ?? ''));
  const stalls = new Stalls();

  test.each(Array.from({ length: played }, (_, round) => [round + 1, ...chosen[round % chosen.length]!] as const))(
    'round %d: %s',
    { timeout: waitedMilliseconds + 60_000 },
    async (round, name, play) => {
      await bare.follow(await servers.leaderOf(writtenLog()));
      const began = performance.now();
      const before = acknowledged.length;
      await play();
      // What is behind, or about to be deposed, would be a second fault in the next round.
      await patiently(() => servers.areCurrent(), 'NATS servers that have everything');
      await standing();
      await writesGoOn();
      const { milliseconds: own, endedAt } = longestGap([began, ...acknowledged.slice(before).map(({ at }) => at)]);
      const stall = { own, bare: bare.stallSince(began) };
      stalls.add(name, stall);
      const elections = bare.electionsSince(began).map(({ stream, at }) => `${stream} ${seconds(at - began)}`);
      console.info(
        `round ${round}: ${name}: writes stood still for ${seconds(own)} s, until ${seconds(endedAt - began)}; those of a bare client for ${seconds(stall.bare)}; leaders chosen: ${elections.join(', ')}; load ${loadavg()[0]!.toFixed(1)}`,
      );
    },
  );

  async function writesGoOn(): Promise<void> {
    const there = acknowledged.length;
    await patiently(async () => acknowledged.length > there + 10, 'posts that are acknowledged');
  }

  // because machines are busy in the normal suite
  test.skipIf(!isLong)('writes stood still for as long as an election or a lease takes, and no longer', () => {
    for (const line of stalls.summary) console.info(line);
    expect(stalls.longerBy(stallMillisecondsMax)).toEqual([]);
  });

  test('nothing acknowledged is lost or twice, and neither the stream nor the other server lacks any of it', {
    timeout: waitedMilliseconds + 60_000,
  }, async () => {
    isOver = true;
    await Promise.all(work);
    const node = await serving();
    const expected = new Map(acknowledged.map(({ id, text }) => [id, text]));
    expect(expected.size).toBe(acknowledged.length);
    const found = await everyPost(node.origin, alice.token, alice.id);
    expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
    expect(new Set(found.map(({ text }) => text)).size).toBe(found.length);
    const ids = new Set(found.map(({ id }) => id));
    expect([...expected.keys()].filter((id) => !ids.has(id))).toEqual([]);
    expect(gaps).toEqual([]);
    const seen = new Set(events);
    // From when the stream was first open to its last event.
    const [first, last] = [BigInt(events[0]!), BigInt(events.at(-1)!)];
    expect(seen.size).toBe(events.length);
    const within = [...expected.keys()].filter((id) => BigInt(id) >= first && BigInt(id) <= last);
    expect(within.filter((id) => !seen.has(id))).toEqual([]);
    const account = await remote!.fetch(`/api/v1/accounts/lookup?acct=alice@${new URL(authority).host}`);
    const { id } = (await account.json()) as { id: string };
    const delivered = async () => (await everyPost(remote!.origin, follower.token, id)).map(({ text }) => text);
    const texts = found.map(({ text }) => text).sort();
    await patiently(async () => (await delivered()).length >= texts.length, 'what was delivered');
    expect((await delivered()).sort()).toEqual(texts);
    const sentAgain = (await activitiesReceived(metricsPort)) - texts.length;
    expect(sentAgain).toBeLessThanOrEqual((played + 1) * sentAgainMax);
    console.info(
      `${acknowledged.length} posts acknowledged, ${found.length} written, ${events.length} streamed, ${sentAgain} deliveries more than posts`,
    );
  });
});
