/** What a partition says of itself (`Client.control(partition, conditionName, {})`); its views have other names. */
export const conditionName = 'condition';

export interface PartitionCondition {
  /** False from a failed append, or a failed reading, until one has worked and some seconds have passed without another. */
  readonly canWrite: boolean;
  /** Another owner has opened its log: it serves nothing here any more. */
  readonly isFenced: boolean;
  /** Other partitions with which no messages are exchanged any more. */
  readonly frozenChannels: readonly number[];
}
