/**
 * What a partition reports about itself: `Client.control(partition, conditionName, {})`. Views answer to other names.
 */
export const conditionName = 'condition';

export interface PartitionCondition {
  /** False after a failed append or read, until one has succeeded. */
  readonly canWrite: boolean;
  /** An append or read failed within the last seconds: on a full disk a small append may fit where others do not. */
  readonly hasFailedLately: boolean;
  /** Another owner has opened the partition's log: nothing is served here any more. */
  readonly isFenced: boolean;
  /** The partition's counters cannot be decoded: it stands still until they can be. */
  readonly hasDamagedCounters: boolean;
  /** Other partitions with which messages are no longer exchanged. */
  readonly frozenChannels: readonly number[];
}
