/** Whether a partition can do its work, for monitoring. */
import type { PartitionCondition } from '../condition.ts';
import { meta } from '../storage/machine.ts';
import type { Alarm } from './alarm.ts';
import type { Recovery } from './recovery.ts';
import type { Staging } from './staging.ts';

export { conditionName } from '../condition.ts';

export interface Channels {
  readonly frozen: readonly number[];
}

/**
 * Other partitions with which no messages are exchanged any more, because one of the two was restored from an older
 * copy.
 */
export function frozenChannels(channels: readonly Channels[]): number[] {
  return [...new Set(channels.flatMap(({ frozen }) => frozen))];
}

/** While the storage fails, this question triggers a new attempt: the recovery shows even if nobody writes. */
export function conditionOf(
  alarm: Alarm,
  staging: Staging,
  { commits, hasDamagedCounters }: Pick<Recovery, 'commits' | 'hasDamagedCounters'>,
  channels: readonly Channels[],
): PartitionCondition {
  if (alarm.isFailing) staging.filling.put(meta, [0], staging.meta);
  const { isFenced } = commits;
  return {
    ...{ canWrite: !alarm.isFailing, hasFailedLately: alarm.hasFailedLately, isFenced, hasDamagedCounters },
    frozenChannels: frozenChannels(channels),
  };
}
