/**
 * What an event costs on its way to a socket, and how many of them a second reach many sockets, while posts come back to
 * back. The CPU is that of the whole server, its posts included; the reference is a bare publish under the same load.
 */
import type { FloodPlan, FloodResult } from '../generators/flood.ts';
import type { Listeners } from '../generators/listener-load.ts';
import { cpuMicrosecondsOf } from '../measure/process-cpu.ts';
import type { Child } from '../processes/child.ts';
import type { Server } from '../processes/server.ts';
import type { BenchContext, Figure } from '../scenario.ts';
import { percent } from './words.ts';

const name = 'streaming';
/** What Mastodon's streaming server does elsewhere (bench/README.md). */
const cpuSecondsAtMost = 322;
const eventsPerSecondAtLeast = 4_800;

const postsAtOnce = 4;
const deadlineMilliseconds = 10_000;

export interface FloodedServers {
  readonly server: Server;
  readonly bare: Child;
  /** Both with their sockets open, on a stream that shows the posts. */
  readonly onServer: Listeners;
  readonly onBare: Listeners;
  readonly requests: readonly string[];
}

interface Flooded extends FloodResult {
  readonly cpuMicroseconds: number;
}

export async function socketEventFigures({ size, samples }: BenchContext, servers: FloodedServers): Promise<Figure[]> {
  const { server, bare, onServer, onBare, requests } = servers;
  const plan = { milliseconds: size.windowMilliseconds, postsAtOnce, requests, deadlineMilliseconds };
  const ours = await flooded(onServer, server.processId, plan);
  const limit = await flooded(onBare, bare.processId, plan);
  samples.write({ scenario: name, kind: 'flood', ...ours });
  samples.write({ scenario: name, kind: 'flood of the reference', ...limit });
  return figuresOf(size.listeners, ours, limit);
}

/** After a window that does not count. */
async function flooded(listeners: Listeners, processId: number, plan: FloodPlan): Promise<Flooded> {
  await listeners.flood(plan);
  const before = cpuMicrosecondsOf(processId);
  const result = await listeners.flood(plan);
  return { ...result, cpuMicroseconds: cpuMicrosecondsOf(processId) - before };
}

function figuresOf(sockets: number, ours: Flooded, limit: Flooded): Figure[] {
  return [
    {
      what: 'CPU of a million socket events, the local timeline',
      measured: cpuOf(ours),
      unit: 's',
      target: { atMost: cpuSecondsAtMost },
      beside: `bare publish ${cpuOf(limit).toFixed(1)} s; ${ours.posts} posts included; elsewhere Mastodon 322, a bare server 5`,
    },
    {
      what: `events to ${sockets} WebSockets, posts back to back, the local timeline`,
      measured: rateOf(ours),
      unit: 'a second',
      target: { atLeast: eventsPerSecondAtLeast },
      beside: `bare publish ${rateOf(limit).toFixed(0)}; of one core the server took ${percent(shareOf(ours))}, the generator ${percent(ours.busyShare)}, with the bare one ${percent(shareOf(limit))} and ${percent(limit.busyShare)}; elsewhere Mastodon 4 800, a bare server 197 000`,
    },
  ];
}

/** Microseconds an event are seconds a million. */
function cpuOf({ cpuMicroseconds, events }: Flooded): number {
  return cpuMicroseconds / events;
}

function rateOf({ events, wallMilliseconds }: Flooded): number {
  return (events * 1_000) / wallMilliseconds;
}

function shareOf({ cpuMicroseconds, wallMilliseconds }: Flooded): number {
  return cpuMicroseconds / 1_000 / wallMilliseconds;
}
