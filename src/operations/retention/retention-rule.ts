/** Tells the instance actor how long statuses of other servers are kept that nobody here uses, where no staff have said so. */
import { Instance, instanceKey } from '../../actors/instance/instance.messages.ts';
import { findRetention } from '../../actors/instance/retention/retention.queries.ts';
import type { NetworkServices, NetworkTask } from '../../services/network-services.ts';
import { settingsOf } from '../instance/settings.ts';

/** At a start, on one of the network threads. */
export function retentionRule(services: NetworkServices): NetworkTask {
  const { snapshots, client, report, index } = services;
  return {
    start() {
      const { remoteStatusDays: days } = settingsOf({ ...services, snapshots: snapshots.beginReads() });
      if (index !== 0 || (findRetention(snapshots)?.days ?? 0) === days) return;
      void client
        .call(Instance.changeRetention.to(instanceKey, { days }), 'system')
        .catch((error: unknown) =>
          report({ level: 'error', message: 'how long statuses of other servers are kept was not stored', error }),
        );
    },
    stop: () => Promise.resolve(),
  };
}
