/** Nodes of a cluster as processes that start again whenever they end, and what stands in front of them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { connect, createServer, type Server } from 'node:net';
import { resolve } from 'node:path';
import { until } from './until.ts';

const startFile = resolve(import.meta.dirname, '../../src/start.mjs');
const waitsMax = 10;
const lookMilliseconds = 250;
/** `RestartSec` of the unit in config/systemd. */
const restartMilliseconds = 2_000;
export const waitedMilliseconds = waitsMax * 30_000;

/** Processes are frozen for real time, and people write at a pace. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((over) => setTimeout(over, milliseconds));
}

interface NodeOptions {
  readonly origin: string;
  readonly checks: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Starts programs on its machine. */
  readonly prefix: readonly string[];
}

/** A node that its system starts again whenever it ends. */
export class ClusterNode {
  readonly name: string;
  readonly origin: string;
  /** Its port for health checks, which is its own also while it passes connections on. */
  private readonly checks: string;
  child: ChildProcess | undefined;
  output = '';
  private readonly environment: NodeJS.ProcessEnv;
  private readonly prefix: readonly string[];
  private isOver = false;

  constructor(name: string, { origin, checks, environment, prefix }: NodeOptions) {
    this.name = name;
    this.prefix = prefix;
    this.origin = origin;
    this.checks = checks;
    this.environment = environment;
    this.start();
  }

  private start(): void {
    const [program = process.execPath, ...words] = [...this.prefix, process.execPath, startFile];
    const child = spawn(program, words, {
      ...{ env: this.environment, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] },
    });
    this.child = child;
    for (const stream of [child.stdout, child.stderr])
      stream!.on('data', (text) => (this.output = (this.output + text).slice(-20_000)));
    child.once('close', () => void pause(restartMilliseconds).then(() => this.isOver || this.start()));
  }

  /** `UP` of one that serves, `STANDBY` of one that knows who does; otherwise what it says, or nothing. */
  async health(): Promise<string | undefined> {
    try {
      const headers = { accept: 'application/json' };
      const answer = await fetch(`${this.checks}/health`, { headers, signal: AbortSignal.timeout(1_000) });
      const { status, serving } = (await answer.json()) as { status: string; serving?: string | null };
      // One that has just started counts no seconds yet in which the lease did not change.
      return serving === null ? `${status}, of nobody` : status;
    } catch {
      return undefined;
    }
  }

  /** Resolves when it has stopped: until then it looks as before. */
  async restart(): Promise<void> {
    const child = this.child!;
    const ended = new Promise((done) => child.once('close', done));
    child.kill('SIGTERM');
    await ended;
  }

  async end(): Promise<void> {
    this.isOver = true;
    const { child } = this;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((done) => child.once('close', done));
    child.kill('SIGCONT');
    child.kill('SIGTERM');
    await ended;
  }
}

/** Like `until`, for what takes minutes: starts on a busy machine, and lanes that have met nobody. */
export async function patiently(condition: () => Promise<boolean>, description: string): Promise<void> {
  for (let left = waitsMax; ; left -= 1)
    try {
      await until(condition, { description });
      return;
    } catch (error) {
      if (left === 1) throw error;
    }
}

/**
 * What a proxy in front knows of nodes, which it asks again and again: who serves, and who has fallen silent, whose connections it ends.
 */
export class Front {
  private readonly nodes: readonly ClusterNode[];
  private readonly states = new Map<ClusterNode, string | undefined>();
  private readonly silences = new Map<ClusterNode, AbortController>();
  private readonly timer: NodeJS.Timeout;

  constructor(nodes: readonly ClusterNode[]) {
    this.nodes = nodes;
    this.timer = setInterval(() => this.look(), lookMilliseconds);
  }

  get serving(): ClusterNode | undefined {
    return this.nodes.find((node) => this.states.get(node) === 'UP');
  }

  /** Aborted once this node does not answer. */
  fallsSilent(node: ClusterNode): AbortSignal {
    return this.silenceOf(node).signal;
  }

  /** Where to try next: at whoever serves, as far as is known. */
  after(node: ClusterNode): ClusterNode {
    const { serving } = this;
    if (serving !== undefined && serving !== node) return serving;
    return this.nodes.find((other) => other !== node && this.states.get(other) !== undefined) ?? node;
  }

  close(): void {
    clearInterval(this.timer);
  }

  private look(): void {
    for (const node of this.nodes)
      void node.health().then((state) => {
        this.states.set(node, state);
        if (state !== undefined && this.silenceOf(node).signal.aborted) this.silences.delete(node);
        if (state === undefined) this.silenceOf(node).abort();
      });
  }

  private silenceOf(node: ClusterNode): AbortController {
    const known = this.silences.get(node) ?? new AbortController();
    this.silences.set(node, known);
    return known;
  }
}

/** What stands in front of nodes: each connection goes to the one that serves. */
export async function startProxy(host: string, port: number, front: Pick<Front, 'serving'>): Promise<Server> {
  const proxy = createServer((client) => {
    client.on('error', () => client.destroy());
    const node = front.serving;
    if (node === undefined) {
      client.destroy();
      return;
    }
    const { hostname } = new URL(node.origin);
    const upstream = connect(port, hostname);
    upstream.on('error', () => client.destroy());
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((listening) => proxy.listen(port, host, listening));
  return proxy;
}
