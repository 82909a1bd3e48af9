/** Composition of an owner thread: the actors over LMDB. */
import { actors, keyspaces } from '../actors/catalogue.ts';
import { FeedsView } from '../actors/partition/feeds.view.ts';
import { PublishedView } from '../actors/partition/published.view.ts';
import { type NatsAccess, type NatsAddress, natsAccess } from '../runtime/cluster/nats-access.ts';
import type { Placement } from '../runtime/ports.ts';
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
  const placement = placementOf(thread);
  const accesses = cluster && connect(thread, placement, cluster);
  thread.run(
    new OwnerService(thread, {
      placement,
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
        return accesses === undefined ? new LmdbLog(file) : clusterLog(accesses.get(partition)!, partition, file);
      },
      clock: clockOf(clockShift),
      report: createReport(thread.shared, `owner ${thread.name.index}`),
      trace: createTrace(thread),
    }),
  );
}

/**
 * For each partition of this thread. A node may stand by for long, and is to take over quickly: it connects when it is loaded,
 * before anything is opened.
 */
function connect(thread: Thread<Shared>, placement: Placement, cluster: NatsAddress): ReadonlyMap<number, NatsAccess> {
  const accesses = new Map<number, NatsAccess>();
  for (let partition = 0; partition < placement.partitions; partition += 1) {
    if (placement.ownerOf(partition) !== thread.name.index) continue;
    const access = natsAccess(cluster);
    // Whoever needs the connection tries again, and is told why there is none.
    access.client().catch(() => undefined);
    thread.beforeStopped(() => void access.close());
    accesses.set(partition, access);
  }
  return accesses;
}
