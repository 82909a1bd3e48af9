/** The whole server as a process of its own, as an operator starts it, but for rate limits, which are off. */
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { endWithParent, pinning } from './child.ts';

export const projectFolder = resolve(import.meta.dirname, '../..');
const profiler = new URL('./profiler.ts', import.meta.url).href;
const stretches = new URL('./stretches.ts', import.meta.url).href;
const startMilliseconds = 60_000;

export interface ServerInput {
  /** Where it listens; 127.0.0.1 by default. */
  readonly host?: string;
  /** Of another version of the project, with its dependencies; this one by default. */
  readonly projectFolder?: string;
  readonly dataDirectory: string;
  readonly core?: number | undefined;
  /** That of an earlier server on this folder, to which its accounts belong; a free one by default. */
  readonly port?: number;
  readonly environment?: Readonly<Record<string, string>>;
  /** What it prints once it is as far as is wanted; that it is ready by default. */
  readonly until?: string;
  /** For CPU profiles of every thread between two calls of `toggleProfile`. */
  readonly profileFolder?: string | undefined;
  /** For the stretches of its event loops between two calls of `toggleStretches`. */
  readonly stretchesFolder?: string | undefined;
}

export interface Server {
  readonly host: string;
  readonly port: number;
  readonly origin: string;
  readonly processId: number;
  /** Begins or ends the CPU profiles, where a folder for them was given. */
  toggleProfile(): void;
  /** Begins or ends the measurement of its event loops, where a folder for it was given. */
  toggleStretches(): void;
  /** SIGTERM; settles when the process has ended. */
  stop(): Promise<void>;
  /** SIGKILL; settles when the process has ended. */
  kill(): Promise<void>;
}

/** Settles when the server is ready. Throws what it said when it ends before that. */
export async function startServer(input: ServerInput): Promise<Server> {
  const host = input.host ?? '127.0.0.1';
  const port = input.port ?? (await freePort(host));
  const origin = `http://${host}:${port}`;
  const folder = input.projectFolder ?? projectFolder;
  const line = [...pinning(input.core), process.execPath, join(folder, 'src/start.mjs')];
  const child = spawn(line[0]!, line.slice(1), {
    cwd: folder,
    env: { ...process.env, ...quietEnvironment(input, host, port, origin) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = endWithParent(child);
  let output = '';
  let deadline: NodeJS.Timeout | undefined;
  await new Promise<void>((ready, fail) => {
    deadline = setTimeout(() => fail(new Error(`the server is not ready:\n${output}`)), startMilliseconds);
    const hear = (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes(input.until ?? 'is ready')) ready();
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', (chunk: Buffer) => {
      hear(chunk);
      process.stderr.write(chunk);
    });
    child.once('exit', (code) => fail(new Error(`the server ended with code ${code}:\n${output}`)));
  }).finally(() => clearTimeout(deadline));
  return {
    host,
    port,
    origin,
    processId: child.pid!,
    toggleProfile() {
      if (input.profileFolder !== undefined) child.kill('SIGUSR2');
    },
    toggleStretches() {
      if (input.stretchesFolder !== undefined) child.kill('SIGPWR');
    },
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function quietEnvironment(input: ServerInput, host: string, port: number, origin: string): Record<string, string> {
  return {
    MURMURATION_HOST: host,
    MURMURATION_PORT: String(port),
    MURMURATION_ORIGIN: origin,
    MURMURATION_DATA_DIR: input.dataDirectory,
    MURMURATION_RATE_LIMITS: 'off',
    MURMURATION_LOG_LEVEL: 'warn',
    MURMURATION_FEDERATION_ALLOW_PRIVATE: 'on',
    MURMURATION_FEDERATION_ALLOW_HTTP: 'on',
    ...preloaded(input),
    ...input.environment,
  };
}

function preloaded({ profileFolder, stretchesFolder }: ServerInput): Record<string, string> {
  const imports: string[] = [];
  const environment: Record<string, string> = {};
  if (profileFolder !== undefined) {
    imports.push(`--import=${profiler}`);
    environment.BENCH_PROFILE_FOLDER = profileFolder;
  }
  if (stretchesFolder !== undefined) {
    imports.push(`--import=${stretches}`);
    environment.BENCH_STRETCHES_FOLDER = stretchesFolder;
  }
  return imports.length === 0 ? {} : { ...environment, NODE_OPTIONS: imports.join(' ') };
}

export function freePort(host: string): Promise<number> {
  return new Promise((found) => {
    const server = createServer().listen(0, host, () => {
      const { port } = server.address() as { port: number };
      server.close(() => found(port));
    });
  });
}
