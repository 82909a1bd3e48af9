/**
 * A whole server as a child process: real threads, disk and port, on loopback. Commands are sent to its admin socket. A
 * server that a test does not stop ends with the process of the test file, because the channel between them breaks.
 */
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { quickFetch } from './fetch.ts';
import { freePort } from './free-port.ts';
import { until } from './until.ts';
import { allScopes, credentialsOf, type Dialect, type User } from './users.ts';

const projectFolder = resolve(import.meta.dirname, '../..');
const startFile = join(projectFolder, 'src/start.mjs');
const stopMilliseconds = 60_000;
const isLong = process.env.MURMURATION_LONG_TESTS !== undefined;
/**
 * Folders of killed servers, which are checked when the next server on them stops; all others are checked only in the long
 * suite, because that takes time.
 */
const killedFolders = new Set<string>();

interface Build {
  bringBuildUpToDate(): Promise<void>;
  readonly mainFile: string;
  readonly codeFolder: string;
}

let built: Promise<Build> | undefined;

/** What `npm start` does first, once in this process: to compare every source with the build is a twentieth of a start. */
async function bringUpToDate(): Promise<Build> {
  const build = (await import(join(projectFolder, 'src/build.mjs'))) as Build;
  await build.bringBuildUpToDate();
  return build;
}

/** The server, or a command, as `npm start` starts it. */
async function startBuilt(
  programArguments: readonly string[],
  environment: NodeJS.ProcessEnv,
  stdio: StdioOptions = 'pipe',
): Promise<ChildProcess> {
  built ??= bringUpToDate();
  const { mainFile, codeFolder } = await built;
  const env = { ...environment, NODE_COMPILE_CACHE: codeFolder };
  return spawn(process.execPath, [mainFile, ...programArguments], { cwd: projectFolder, env, stdio });
}

export interface TestServerInput {
  /** MURMURATION_… variables, in addition to those of a quiet test server. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The host of the origin; addresses of 127.0.0.0/8 distinguish several servers. */
  readonly host?: string;
  /** The data folder of an earlier server, which is kept. */
  readonly dataDirectory?: string;
  readonly port?: number;
}

export interface RunningServer {
  readonly origin: string;
  readonly host: string;
  readonly port: number;
  readonly dataDirectory: string;
  readonly process: ChildProcess;
  /** What the server wrote to its standard output and error so far. */
  output(): string;
  /**
   * Runs a command of the operator and returns its output. Throws when it fails. If the server is stopped, the command
   * is a process, as an operator would start it.
   */
  run(...commandArguments: readonly string[]): Promise<string>;
  /** Starts a command as a process of its own, for a stopped server. */
  startCommand(...commandArguments: readonly string[]): ChildProcess;
  /** A confirmed account with a token for everything, in the dialect `specification` unless another is named. */
  createUser(username: string, dialect?: Dialect): Promise<User>;
  /** Throws an Error for an answer that differs from the declaration of its endpoint. */
  fetch(path: string, options?: RequestInit & { token?: string; json?: unknown }): Promise<Response>;
  /**
   * Sends SIGTERM and returns the exit code. Removes the data folder unless it was given; throws an Error when it is
   * damaged.
   */
  stop(): Promise<number | null>;
  /** Sends SIGKILL; the data folder stays. */
  kill(): Promise<void>;
}

export async function startTestServer(input: TestServerInput = {}): Promise<RunningServer> {
  const host = input.host ?? '127.0.0.1';
  const port = input.port ?? (await freePort(host));
  const origin = `http://${host}:${port}`;
  const dataDirectory = input.dataDirectory ?? mkdtempSync(join(tmpdir(), 'murmuration-test-'));
  const environment = {
    ...process.env,
    NODE_ENV: 'test',
    MURMURATION_PORT: String(port),
    MURMURATION_HOST: host,
    MURMURATION_ORIGIN: origin,
    MURMURATION_DATA_DIR: dataDirectory,
    MURMURATION_RATE_LIMITS: 'off',
    MURMURATION_LOG_LEVEL: 'warn',
    MURMURATION_FEED_RINGS: '1024',
    // A thread less: a sixth of a start.
    MURMURATION_SEARCH: 'off',
    // A home that is rebuilt is waited for, however long a busy machine takes.
    MURMURATION_HOME_REBUILD_MILLISECONDS: '60000',
    MURMURATION_FEDERATION_ALLOW_PRIVATE: 'on',
    MURMURATION_FEDERATION_ALLOW_HTTP: 'on',
    ...input.environment,
  };
  let output = '';
  const child = await startBuilt([], environment, ['ignore', 'pipe', 'pipe', 'ipc']);
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  // At `exit` the last output may not have arrived yet.
  let isOver = false;
  const ended = new Promise<number | null>((done) => child.once('close', (code) => done(code)));
  void ended.then(() => {
    isOver = true;
  });
  await until(() => isOver || output.includes('is ready'), {
    description: 'the server to be ready',
  }).finally(() => {
    if (!output.includes('is ready')) child.kill('SIGKILL');
  });
  if (isOver) throw new Error(`the server ended with code ${child.exitCode}:\n${output}`);

  const run = async (...commandArguments: readonly string[]) => {
    // Loaded here, because tests that only start and stop a server do not need it.
    const { askAdmin } = await import('./admin.ts');
    return (await askAdmin(dataDirectory, commandArguments)) ?? (await runProcess(commandArguments, environment));
  };
  return {
    origin,
    host: `${host}:${port}`,
    port,
    dataDirectory,
    process: child,
    output: () => output,
    run,
    startCommand: (...commandArguments) => startCommand(commandArguments, environment),
    async createUser(username, dialect = 'specification') {
      const credentials = credentialsOf(username);
      const { email, password } = credentials;
      await run('accounts', 'create', username, '--email', email, '--password', password, '--confirmed', '--approved');
      const token = (await run('tokens', 'create', username, '--scopes', allScopes, '--dialect', dialect)).trim();
      // By command, because a request of the user would count against rate limits.
      const id = /^Id: (\d+)$/m.exec(await run('accounts', 'show', username))![1]!;
      return { ...credentials, id, token };
    },
    async fetch(path, options = {}) {
      const { token, json, headers, ...rest } = options;
      const response = await quickFetch(`${origin}${path}`, {
        ...rest,
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(json === undefined ? {} : { 'content-type': 'application/json' }),
          ...(headers as Record<string, string> | undefined),
        },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      });
      // Loaded here, because tests that only start and stop a server need none of it.
      const { assertDeclared } = await import('./answer-shapes.ts');
      await assertDeclared(rest.method ?? 'GET', path, response);
      return response;
    },
    async stop() {
      child.kill('SIGTERM');
      const deadline = setTimeout(() => child.kill('SIGKILL'), stopMilliseconds);
      const code = await ended;
      clearTimeout(deadline);
      if (killedFolders.delete(dataDirectory) || isLong) await runProcess(['check'], environment);
      if (input.dataDirectory === undefined) rmSync(dataDirectory, { recursive: true, force: true });
      return code;
    },
    async kill() {
      killedFolders.add(dataDirectory);
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function startCommand(commandArguments: readonly string[], environment: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, [startFile, ...commandArguments], { cwd: projectFolder, env: environment });
}

async function runProcess(commandArguments: readonly string[], environment: NodeJS.ProcessEnv): Promise<string> {
  const child = await startBuilt(commandArguments, environment);
  return new Promise((done, fail) => {
    let output = '';
    let problems = '';
    child.stdout!.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.stderr!.on('data', (chunk: Buffer) => {
      problems += chunk.toString();
    });
    child.once('error', fail);
    // At `exit` the last output may not have arrived yet.
    child.once('close', (code) => {
      if (code === 0) done(output);
      else fail(new Error(`${commandArguments.join(' ')} ended with code ${code}: ${problems}${output}`));
    });
  });
}
