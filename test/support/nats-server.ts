/**
 * Real NATS servers on loopback. The program is `nats-server` of the PATH, or what NATS_SERVER_PROGRAM names; the
 * packages of a system may be too old.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { type NatsAddress, natsAccess } from '../../src/runtime/cluster/nats-access.ts';
import { freePort } from './free-port.ts';
import type { Machine, Machines } from './machines.ts';
import { until } from './until.ts';

const versionMin = [2, 12] as const;

interface NatsProgram {
  readonly path: string;
  /** Why it cannot be used. */
  readonly missing: string | undefined;
}

/** In CI it must be there. */
export function natsProgram(): NatsProgram {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];
  const path = process.env.NATS_SERVER_PROGRAM ?? folders.map((folder) => join(folder, 'nats-server')).find(existsSync);
  const missing = path === undefined ? 'there is no nats-server' : whyUnfit(path);
  if (missing !== undefined && process.env.CI !== undefined)
    throw new Error(`The tests over NATS cannot run: ${missing}.`);
  return { path: path ?? '', missing };
}

function whyUnfit(path: string): string | undefined {
  const version = execFileSync(path, ['--version'], { encoding: 'utf8' });
  const [, major = '0', minor = '0'] = /v(\d+)\.(\d+)/.exec(version) ?? [];
  const isEnough = Number(major) > versionMin[0] || (Number(major) === versionMin[0] && Number(minor) >= versionMin[1]);
  return isEnough ? undefined : `${path} is older than ${versionMin.join('.')}`;
}

export interface NatsServerOptions {
  /** Of its store and its configuration. */
  readonly folder: string;
  readonly port?: number;
  /** sync_interval of its configuration. */
  readonly sync?: string;
  /** Whether the account may ask for the servers' settings. */
  readonly tells?: boolean;
  /** Lines about accounts, in place of one with a name and a password. */
  readonly accounts?: readonly string[];
  /** With which it encrypts the connections of clients. */
  readonly certificate?: { readonly file: string; readonly key: string };
  /** Of one of several servers: its name, its port for the others, and theirs. */
  readonly peer?: Peer;
  /** Where it runs; here where it is omitted. */
  readonly machine?: Machine;
  /** All of its configuration, in place of what follows from the others. */
  readonly configuration?: string;
}

interface Peer {
  readonly name: string;
  /** For the others. */
  readonly port: number;
  /** Their addresses with ports. */
  readonly others: readonly string[];
}

const here: Machine = { name: 'here', address: '127.0.0.1', prefix: [] };

export class NatsServer {
  readonly address: NatsAddress;
  readonly port: number;
  readonly machine: Machine;
  private readonly path: string;
  private readonly options: NatsServerOptions;
  private process: ChildProcess | undefined;

  constructor(path: string, options: NatsServerOptions, port: number) {
    this.path = path;
    this.options = options;
    this.port = port;
    this.machine = options.machine ?? here;
    this.address = addressOf([`${this.machine.address}:${port}`]);
  }

  get name(): string | undefined {
    return this.options.peer?.name;
  }

  /** Where its store is. */
  get folder(): string {
    return this.options.folder;
  }

  /** Resolves when it takes connections. */
  async start(): Promise<void> {
    const file = join(this.options.folder, 'nats.conf');
    await writeFile(file, this.options.configuration ?? configurationOf(this.options, this.port));
    // A prefix replaces itself by what it starts, so that signals reach the server.
    const [program = this.path, ...words] = [...this.machine.prefix, this.path, '-c', file];
    const child = spawn(program, words, { stdio: ['ignore', 'ignore', 'pipe'] });
    this.process = child;
    let log = '';
    child.stderr.on('data', (text) => (log += text));
    await until(() => log.includes('Server is ready') || child.exitCode !== null, { description: 'a NATS server' });
    if (child.exitCode !== null) throw new Error(`nats-server ended: ${log}`);
  }

  /** Answers nothing until it goes on. */
  async freeze(): Promise<void> {
    const { pid } = this.running;
    this.running.kill('SIGSTOP');
    const isStopped = () => / T /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    await until(isStopped, { description: 'a NATS server to stand still' });
  }

  goOn(): void {
    this.running.kill('SIGCONT');
  }

  get isRunning(): boolean {
    return this.process?.exitCode === null && this.process.signalCode === null;
  }

  async stop(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.process;
    if (child === undefined || !this.isRunning) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  private get running(): ChildProcess {
    if (this.process === undefined) throw new Error('the NATS server was not started');
    return this.process;
  }
}

function addressOf(hosts: readonly string[]): NatsAddress {
  const servers = hosts.map((host) => `nats://murmuration:secret@${host}`);
  return { servers, credentialsFile: undefined, authoritiesFile: undefined };
}

/** What an account asks the system account for. */
export const survey = '$SYS.REQ.SERVER.PING.VARZ';

function configurationOf(options: NatsServerOptions, port: number): string {
  const {
    folder,
    sync = 'always',
    tells = true,
    peer,
    certificate,
    accounts = passwords(tells),
    machine: { address } = here,
  } = options;
  return [
    `listen: "${address}:${port}"`,
    'max_payload: 8MB',
    `jetstream { store_dir: "${folder}/store", sync_interval: ${sync} }`,
    ...(peer === undefined ? [] : [`server_name: ${peer.name}`, clusterOf(peer, address)]),
    ...(certificate === undefined ? [] : [`tls { cert_file: "${certificate.file}", key_file: "${certificate.key}" }`]),
    ...accounts,
  ].join('\n');
}

function passwords(tells: boolean): string[] {
  const offered = tells ? `exports: [{ service: "${survey}", response_type: stream, accounts: [APP] }]` : '';
  const taken = tells ? `imports: [{ service: { account: SYS, subject: "${survey}" } }]` : '';
  return [
    'system_account: SYS',
    'accounts {',
    `  SYS { users: [{ user: system, password: secret }], ${offered} }`,
    `  APP { jetstream: enabled, users: [{ user: murmuration, password: secret }], ${taken} }`,
    '}',
  ];
}

/** As docs/cluster advises. */
const patience = 'ping_interval: 1s, ping_max: 2, write_deadline: 2s';

function clusterOf({ port, others }: Peer, address: string): string {
  const routes = others.map((other) => `"nats://${other}"`).join(', ');
  return `cluster { name: murmuration, listen: "${address}:${port}", routes: [${routes}], ${patience} }`;
}

/** Resolves when it takes connections. */
export async function startNatsServer(path: string, options: NatsServerOptions): Promise<NatsServer> {
  const server = new NatsServer(path, options, options.port ?? (await freePort()));
  await server.start();
  return server;
}

/** Three servers that keep everything three times. */
export interface NatsServers {
  readonly servers: readonly NatsServer[];
  readonly address: NatsAddress;
  /** The one that leads a stream. */
  leaderOf(stream: string): Promise<NatsServer>;
  /** Every stream has a leader, and all others have what it has. */
  areCurrent(): Promise<boolean>;
  stop(): Promise<void>;
}

export const natsNames = ['one', 'two', 'three'] as const;

/** Resolves when they have agreed on a leader. Below a folder of their own each, and on a machine of their own where there are such. */
export async function startNatsServers(path: string, folder: string, machines?: Machines): Promise<NatsServers> {
  const ports: number[] = [];
  for (let count = 0; count < 2 * natsNames.length; count += 1) ports.push(await freePort());
  const placed = natsNames.map((name) => machines?.at(name) ?? here);
  const routes = placed.map(({ address }, index) => `${address}:${ports[natsNames.length + index]!}`);
  const servers = await Promise.all(
    natsNames.map(async (name, index) => {
      const own = join(folder, name);
      await mkdir(own, { recursive: true });
      const others = routes.filter((_, other) => other !== index);
      const peer = { name, port: ports[natsNames.length + index]!, others };
      return new NatsServer(path, { folder: own, peer, machine: placed[index]! }, ports[index]!);
    }),
  );
  await Promise.all(servers.map((server) => server.start()));
  const address = addressOf(servers.map(({ port, machine }) => `${machine.address}:${port}`));
  const access = natsAccess(address);
  const { manager } = await access.client();
  await until(() => manager.getAccountInfo(), { description: 'NATS servers that agree' });
  return {
    servers,
    address,
    async leaderOf(stream) {
      const name = await until(async () => (await manager.streams.info(stream)).cluster?.leader);
      return servers.find((server) => server.name === name)!;
    },
    async areCurrent() {
      for await (const { cluster } of manager.streams.list()) {
        const { leader, replicas = [] } = cluster ?? {};
        const current = replicas.filter((replica) => replica.current && replica.offline !== true);
        if (!leader || current.length + 1 < servers.length) return false;
      }
      return true;
    },
    async stop() {
      await access.close();
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}
