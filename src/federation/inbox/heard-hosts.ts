/**
 * Hosts whose requests were verified here are alive: the network thread that waits before it delivers to one is told.
 * What it waits for is in the database, so that hosts without a wait, which are nearly all, cost no message, and two
 * small reads every ten seconds.
 */
import { findHostNumber, findLaneState } from '../../actors/partition/deliveries.queries.ts';
import { findRelayLane, findSubscription } from '../../actors/relay/relay.queries.ts';
import { earlierAttempt } from '../../outbound/lanes/retry-policy.ts';
import { slotOfKey } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import { activityLimits } from '../limits.ts';

export type HeardHostsServices = Pick<Services, 'snapshots' | 'deliveryLanes' | 'report' | 'now' | 'monotonic'>;

export class HeardHosts {
  private readonly services: HeardHostsServices;
  /** When the lane of a host[:port] was examined, oldest first. */
  private readonly examinedAt = new Map<string, number>();

  constructor(services: HeardHostsServices) {
    this.services = services;
  }

  /** A request of an actor at this host[:port] was verified. */
  heard(host: string): void {
    const now = this.services.monotonic();
    const examinedAt = this.examinedAt.get(host);
    if (examinedAt !== undefined && now - examinedAt < activityLimits.heardHostMilliseconds) return;
    this.forgetBefore(now - activityLimits.heardHostMilliseconds);
    if (this.examinedAt.size >= activityLimits.heardHostsMax) return;
    this.examinedAt.set(host, now);
    const { deliveryLanes, report } = this.services;
    try {
      if (this.isWaiting(host)) deliveryLanes.heardFrom(host);
    } catch (error) {
      // The request of the host goes on without it.
      report({ level: 'error', message: `the state of deliveries to ${host} could not be read`, error });
    }
  }

  /** Whether deliveries to the host, or what the relay sends there, wait for longer than they need to. */
  private isWaiting(host: string): boolean {
    const { snapshots, now } = this.services;
    const partition = snapshots.partitions[snapshots.placement.partitionOf(slotOfKey(host))]!;
    const number = findHostNumber(partition, host);
    const subscription = findSubscription(snapshots, host);
    const lanes = [
      number === undefined ? undefined : findLaneState(partition, number),
      subscription && findRelayLane(snapshots, subscription.number),
    ];
    return lanes.some((lane) => {
      if (lane === undefined || lane.failures === 0) return false;
      const { nextAttemptAt = 0, earliestAttemptAt = nextAttemptAt } = lane;
      return earlierAttempt({ nextAttemptAt, earliestAttemptAt }, now()) !== undefined;
    });
  }

  private forgetBefore(moment: number): void {
    for (const [host, examinedAt] of this.examinedAt) {
      if (examinedAt > moment) return;
      this.examinedAt.delete(host);
    }
  }
}
