/** Tells the instance actor how long the options keep statuses of other servers that nobody here uses. */
import { Instance, instanceKey } from '../../actors/instance/instance.messages.ts';
import { findRetention } from '../../actors/instance/retention/retention.queries.ts';
import type { NetworkServices, NetworkTask } from '../../services/network-services.ts';

/** At a start, on one of the network threads. */
export function retentionRule(services: NetworkServices): NetworkTask {
  const { snapshots, client, options, report, index } = services;
  return {
    start() {
      const { remoteStatusDays: days } = options;
      if (index !== 0 || (findRetention(snapshots.beginReads())?.days ?? 0) === days) return;
      void client
        .call(Instance.changeRetention.to(instanceKey, { days }), 'system')
        .catch((error: unknown) =>
          report({ level: 'error', message: 'how long statuses of other servers are kept was not stored', error }),
        );
    },
    stop: () => Promise.resolve(),
  };
}
