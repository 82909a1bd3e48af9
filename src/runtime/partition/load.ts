/** Queue lengths and sizes of a partition, for its metrics. */
import { threadLimits } from '../limits.ts';
import type { AskedEffects } from './asked-effects.ts';
import { frozenChannels } from './condition.ts';
import type { DamagedRecords } from './damaged-records.ts';
import type { DeadLetters } from './dead-letters.ts';
import type { IncomingChannels } from './incoming.ts';
import type { Mailboxes, MailboxesOfKind } from './mailboxes.ts';
import type { OutgoingChannels } from './outgoing.ts';
import type { Unacknowledged } from './outgoing-channel.ts';
import type { Recovery } from './recovery.ts';
import type { Staging } from './staging.ts';

interface LoadedParts {
  readonly mailboxes: Mailboxes;
  readonly staging: Staging;
  readonly outgoing: OutgoingChannels;
  readonly incoming: IncomingChannels;
  readonly asked: AskedEffects;
  readonly letters: DeadLetters;
  readonly damaged: DamagedRecords;
  readonly recovery: Recovery;
}

export interface PartitionLoad {
  readonly calls: number;
  readonly callBytes: number;
  readonly inboxMessages: number;
  readonly inboxBytes: number;
  readonly oldestCallMilliseconds: number;
  /** Age of the oldest inbox message; counted anew after a restart. */
  readonly oldestMessageMilliseconds: number;
  /** Looks at every mailbox. */
  mailboxes(): readonly MailboxesOfKind[];
  readonly rememberedValues: number;
  readonly rememberedBytes: number;
  readonly lettersWritten: number;
  readonly lettersKept: number;
  readonly lettersBytes: number;
  /** Records of state that were found to be damaged since the partition was opened. */
  readonly damagedRecords: number;
  /** The counters cannot be decoded: the partition stands still until they can be. */
  readonly hasDamagedCounters: boolean;
  /** Other partitions with which no messages are exchanged any more: one of the two was restored from an older copy. */
  readonly frozenChannels: number;
  /** Outbox frames per destination that are not acknowledged. */
  readonly channels: readonly ({ readonly destination: number } & Unacknowledged)[];
  /** Unsettled effects, including those that wait for room. */
  readonly effectsPending: number;
  readonly effectsBytes: number;
  /** How often effects were repeated since the start. */
  readonly effectsRepeated: number;
}

export function loadOf(parts: LoadedParts, now: number): PartitionLoad {
  const { mailboxes, staging, outgoing, incoming, asked, letters, damaged, recovery } = parts;
  const { callCount, callBytes, durableCount, durableBytes, oldestDeadline, oldestDurableSince } = mailboxes;
  const { values, bytes } = staging.committed.rememberedSize;
  const arrivedAt = oldestDeadline === undefined ? undefined : oldestDeadline - threadLimits.callBeginMilliseconds;
  return {
    calls: callCount,
    callBytes,
    inboxMessages: durableCount,
    inboxBytes: durableBytes,
    oldestCallMilliseconds: arrivedAt === undefined ? 0 : Math.max(0, now - arrivedAt),
    oldestMessageMilliseconds: Math.max(0, now - (oldestDurableSince ?? now)),
    mailboxes: () => mailboxes.byKind,
    rememberedValues: values,
    rememberedBytes: bytes,
    lettersWritten: staging.meta.deadLetterSequence,
    lettersKept: letters.kept.count,
    lettersBytes: letters.kept.bytes,
    damagedRecords: damaged.count,
    hasDamagedCounters: recovery.hasDamagedCounters,
    frozenChannels: frozenChannels([outgoing, incoming]).length,
    channels: outgoing.loads,
    effectsPending: asked.pending,
    effectsBytes: asked.pendingBytes,
    effectsRepeated: asked.repeats,
  };
}
