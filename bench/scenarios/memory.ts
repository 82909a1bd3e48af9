/**
 * Resident memory of the whole server on a community's database: idle, and for each idle WebSocket, each of another
 * account that listens to its home. The idle server counts whole; what a socket adds counts without the pages of the
 * database that were read for it, which belong to the kernel's cache.
 */
import { openListeners } from '../generators/listener-load.ts';
import { type ResidentBytes, residentBytesOf } from '../measure/process-cpu.ts';
import { type Server, startServer } from '../processes/server.ts';
import type { Figure, Scenario } from '../scenario.ts';
import { communitySeed } from '../seed/community.ts';
import { tokenOf } from '../seed/people.ts';
import { stopAll } from './words.ts';

const name = 'memory';
const idleBytesAtMost = 250_000_000;
const socketBytesAtMost = 12_000;

export const memoryScenario: Scenario = {
  name,
  summary: 'resident memory of the idle server, and of an idle WebSocket',
  async run({ size, seeds, samples }) {
    const data = await seeds.open(communitySeed(size.community));
    const server = await startServer({ dataDirectory: data.dataDirectory });
    const listeners = openListeners();
    try {
      const idle = await settledBytes(server, size.settleMilliseconds);
      const { host, port } = server;
      const tokens = data.facts.people.slice(0, size.idleSockets).map(tokenOf);
      await listeners.open({ host, port, path: '/api/v1/streaming?stream=user', tokens });
      const connected = await settledBytes(server, size.settleMilliseconds);
      samples.write({ scenario: name, kind: 'memory', idle, connected, sockets: tokens.length });
      return figuresOf(idle, connected, tokens.length);
    } finally {
      await stopAll(listeners, server);
      data.remove();
    }
  },
};

/** Waits until what a start, or a rush of connections, leaves to be collected is gone. */
async function settledBytes(server: Server, settleMilliseconds: number): Promise<ResidentBytes> {
  await new Promise((resolve) => setTimeout(resolve, settleMilliseconds));
  return residentBytesOf(server.processId);
}

function figuresOf(idle: ResidentBytes, connected: ResidentBytes, sockets: number): Figure[] {
  return [
    {
      what: 'resident memory, idle',
      measured: idle.all / 1_000_000,
      unit: 'MB',
      target: { atMost: idleBytesAtMost / 1_000_000 },
      beside: `all threads, a minute after the start; ${(idle.own / 1_000_000).toFixed(0)} MB without pages of files`,
    },
    {
      what: 'resident memory of an idle WebSocket',
      measured: (connected.own - idle.own) / sockets / 1_000,
      unit: 'KB',
      target: { atMost: socketBytesAtMost / 1_000 },
      beside: `${sockets} sockets of as many accounts, listening to their homes, a minute later: ${(connected.all / 1_000_000).toFixed(0)} MB`,
    },
  ];
}
