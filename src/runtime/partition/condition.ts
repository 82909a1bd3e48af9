/** Whether a partition can do its work, for whoever watches the server. */
import type { PartitionCondition } from '../condition.ts';
import { meta } from '../storage/machine.ts';
import type { Alarm } from './alarm.ts';
import type { Commits } from './commits.ts';
import type { Staging } from './staging.ts';

export { conditionName } from '../condition.ts';

export interface Channels {
  readonly frozen: readonly number[];
}

/** Other partitions to or from which nothing goes any more: one of the two went back in time. */
export function frozenChannels(channels: readonly Channels[]): number[] {
  return [...new Set(channels.flatMap(({ frozen }) => frozen))];
}

/** Where the storage failed, asking has it tried again: its recovery is seen although nobody writes. */
export function conditionOf(
  alarm: Alarm,
  staging: Staging,
  { isFenced }: Pick<Commits, 'isFenced'>,
  channels: readonly Channels[],
): PartitionCondition {
  if (alarm.isFailing) staging.filling.put(meta, [0], staging.meta);
  return { canWrite: !alarm.hasFailedLately, isFenced, frozenChannels: frozenChannels(channels) };
}
