/** What waits and is kept in a partition, for who measures. */
import { threadLimits } from '../limits.ts';
import { type Channels, frozenChannels } from './condition.ts';
import type { Mailboxes } from './mailboxes.ts';
import type { Staging } from './staging.ts';

export interface PartitionLoad {
  readonly calls: number;
  readonly inboxMessages: number;
  readonly inboxBytes: number;
  readonly oldestCallMilliseconds: number;
  /** Of the inbox; a restart begins anew. */
  readonly oldestMessageMilliseconds: number;
  readonly rememberedValues: number;
  readonly rememberedBytes: number;
  readonly lettersWritten: number;
  readonly lettersKept: number;
  /** Other partitions with which no messages are exchanged any more. */
  readonly frozenChannels: number;
}

export function loadOf(
  mailboxes: Mailboxes,
  staging: Staging,
  channels: readonly Channels[],
  now: number,
): PartitionLoad {
  const { callCount, durableCount, durableBytes, oldestDeadline, oldestDurableSince } = mailboxes;
  const { values, bytes } = staging.committed.rememberedSize;
  const arrivedAt = oldestDeadline === undefined ? undefined : oldestDeadline - threadLimits.callBeginMilliseconds;
  return {
    calls: callCount,
    inboxMessages: durableCount,
    inboxBytes: durableBytes,
    oldestCallMilliseconds: arrivedAt === undefined ? 0 : Math.max(0, now - arrivedAt),
    oldestMessageMilliseconds: Math.max(0, now - (oldestDurableSince ?? now)),
    rememberedValues: values,
    rememberedBytes: bytes,
    lettersWritten: staging.meta.deadLetterSequence,
    lettersKept: staging.meta.deadLettersKept,
    frozenChannels: frozenChannels(channels).length,
  };
}
