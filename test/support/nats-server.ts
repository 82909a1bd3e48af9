/**
 * Real NATS servers on loopback. The program is `nats-server` of the PATH, or what NATS_SERVER_PROGRAM names; the
 * packages of a system may be too old.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { NatsAddress } from '../../src/runtime/cluster/nats-access.ts';
import { freePort } from './free-port.ts';
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
}

export class NatsServer {
  readonly address: NatsAddress;
  readonly port: number;
  private readonly process: ChildProcess;

  constructor(process: ChildProcess, port: number) {
    this.process = process;
    this.port = port;
    const servers = [`nats://murmuration:secret@127.0.0.1:${port}`];
    this.address = { servers, credentialsFile: undefined, authoritiesFile: undefined };
  }

  /** Answers nothing until it goes on. */
  async freeze(): Promise<void> {
    this.process.kill('SIGSTOP');
    const isStopped = () => / T /.test(readFileSync(`/proc/${this.process.pid}/stat`, 'utf8'));
    await until(isStopped, { description: 'a NATS server to stand still' });
  }

  goOn(): void {
    this.process.kill('SIGCONT');
  }

  async stop(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const ended = once(this.process, 'exit');
    this.process.kill(signal);
    await ended;
  }
}

const survey = '$SYS.REQ.SERVER.PING.VARZ';

function configurationOf({ folder, sync = 'always', tells = true }: NatsServerOptions, port: number): string {
  const offered = tells ? `exports: [{ service: "${survey}", response_type: stream, accounts: [APP] }]` : '';
  const taken = tells ? `imports: [{ service: { account: SYS, subject: "${survey}" } }]` : '';
  return [
    `listen: "127.0.0.1:${port}"`,
    `jetstream { store_dir: "${folder}/store", sync_interval: ${sync} }`,
    'system_account: SYS',
    'accounts {',
    `  SYS { users: [{ user: system, password: secret }], ${offered} }`,
    `  APP { jetstream: enabled, users: [{ user: murmuration, password: secret }], ${taken} }`,
    '}',
  ].join('\n');
}

/** Resolves when it takes connections. */
export async function startNatsServer(path: string, options: NatsServerOptions): Promise<NatsServer> {
  const port = options.port ?? (await freePort());
  const file = join(options.folder, 'nats.conf');
  await writeFile(file, configurationOf(options, port));
  const child = spawn(path, ['-c', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.on('data', (text) => (log += text));
  await until(() => log.includes('Server is ready') || child.exitCode !== null, { description: 'a NATS server' });
  if (child.exitCode !== null) throw new Error(`nats-server ended: ${log}`);
  return new NatsServer(child, port);
}
