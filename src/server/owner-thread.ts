/** Composition of an owner thread: the actors over LMDB. */
import { actors, keyspaces } from '../actors/catalogue.ts';
import { FeedsView } from '../actors/partition/feeds.view.ts';
import { PublishedView } from '../actors/partition/published.view.ts';
import { natsAccess, natsPackages } from '../runtime/cluster/nats-access.ts';
import { LmdbLog } from '../runtime/storage/lmdb-log.ts';
import { clockOf, systemClock } from '../runtime/threads/clock.ts';
import { OwnerService } from '../runtime/threads/owner.ts';
import type { Thread } from '../runtime/threads/thread.ts';
import { addressOf, clusterLog } from './cluster/cluster-logs.ts';
import { createReport } from './log.ts';
import { partitionMapBytes, partitionPath, placementOf } from './partitions.ts';
import type { Shared } from './shared.ts';
import { createTrace } from './tracing.ts';

export function runOwner(thread: Thread<Shared>): void {
  const { dataDirectory, generation, ringMemory, memory, options, clockShift } = thread.shared;
  const cluster = addressOf(options);
  // A node may stand by for long, and is to take over quickly.
  if (cluster !== undefined) void natsPackages();
  thread.run(
    new OwnerService(thread, {
      placement: placementOf(thread),
      actors,
      keyspaces,
      views: (partition) => [
        new FeedsView(ringMemory[partition]!, {
          monotonic: () => systemClock.monotonic(),
          defer: (callback) => void setImmediate(callback),
        }),
        new PublishedView(),
      ],
      moreEmptyScopesBytes: memory.emptyScopesBytes,
      appendsMax: cluster && options.clusterAppends,
      lettersPathOf: (partition) => `${dataDirectory}/dead-letters-${partition}.jsonl`,
      openLog: (partition, repeated) => {
        const path = partitionPath(dataDirectory, partition, generation);
        const file = { path, mapBytes: partitionMapBytes, repeated };
        return cluster === undefined ? new LmdbLog(file) : clusterLog(natsAccess(cluster), partition, file);
      },
      clock: clockOf(clockShift),
      report: createReport(thread.shared, `owner ${thread.name.index}`),
      trace: createTrace(thread),
    }),
  );
}
