/** Composition of a network thread: effects, answers and lanes, everything that talks to other servers. */
import type { Thread } from '../runtime/threads/thread.ts';
import { storageTopic } from '../services/storage.ts';
import { mailFolder } from './folder/data-folder.ts';
import { createNetworkRole, networkEvents } from './network-role.ts';
import type { PoolName } from './pools.ts';
import { runServiceThread, type Work, type WorkInput } from './service-thread.ts';
import type { Shared } from './shared.ts';
import { StorageMeasuring } from './storage/measuring.ts';
import { networkCounters, sampleNetwork } from './thread-gauges.ts';

export async function runNetwork(thread: Thread<Shared>, pools: readonly PoolName[]): Promise<void> {
  await runServiceThread(thread, { pools, wantedEvents: { numbers: networkEvents }, work: networkWork });
}

function networkWork({ thread, services, pools, trace, beginReads }: WorkInput): Work {
  const { metrics, counts, name } = thread;
  const networkServices = {
    ...services,
    index: name.index,
    count: counts.network,
    htmlPool: pools.get('html'),
    mediaPool: pools.get('media'),
    filmPool: pools.get('films'),
    mailFolder: mailFolder(thread.shared.dataDirectory),
    trace,
  };
  const role = createNetworkRole(networkServices, networkCounters(metrics));
  const { now, report } = services;
  const storage = new StorageMeasuring({ dataDirectory: thread.shared.dataDirectory, now, report });
  services.barrier.start(services.snapshots.beginReads().commits);
  sampleNetwork(metrics, role);
  const answerers = [...role.answerers, [storageTopic, storage.answer] as const].map(([topic, answerer]) => {
    const answer = (request: unknown) => {
      beginReads();
      return answerer(request);
    };
    return [topic, answer] as const;
  });
  return {
    answerers: new Map(answerers),
    effects: role.effects,
    serve() {
      for (const task of role.tasks) task.start();
    },
    async close() {
      await Promise.all([storage.stop(), ...role.tasks.map((task) => task.stop())]);
    },
  };
}
