/**
 * Scheduled statuses: stored until their time, then published by the operation that publishes all others.
 *
 * INVARIANT the timer is stored with the status, so a restart forgets neither. A publication that is repeated after a
 * crash finds its idempotency key.
 */
import { type BodyOf, feature } from '../../../runtime/contract.ts';
import { Failure, validationFailure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { keepStatuses } from '../kept.events.ts';
import { attachMedia, freeMediaOf } from '../media/attach-media.ts';
import { rememberKey } from '../statuses/publish.ts';
import { scheduledLimits } from './limits.ts';
import { publishScheduled } from './scheduled.effects.ts';
import { scheduledMessages } from './scheduled.messages.ts';
import { keyOfScheduled, scheduledUnderKey } from './scheduled.queries.ts';
import type { ScheduledStatus } from './scheduled.records.ts';
import * as state from './scheduled.state.ts';

const { scheduledStatuses } = state;
const dayMilliseconds = 24 * 60 * 60 * 1000;

/**
 * Repeating a request with the same idempotency key returns the first status. Throws validation for a time out of range
 * and above the number of scheduled statuses.
 */
function schedulePost(turn: AccountTurn, { scheduledAt, post }: BodyOf<typeof scheduledMessages.schedulePost>) {
  const { idempotencyKey } = post;
  const known = idempotencyKey === undefined ? undefined : scheduledUnderKey(turn, turn.self.key, idempotencyKey);
  if (known !== undefined) return { scheduledId: known };
  refuse(turn, scheduledAt, undefined);
  const scheduledId = turn.nextId();
  keep(turn, { id: scheduledId, scheduledAt, post });
  keepStatuses(turn, [post.inReplyToId, post.quotedStatusId]);
  attachMedia(turn, post.mediaIds ?? [], { scheduledId });
  if (idempotencyKey !== undefined) rememberKey(turn, keyOfScheduled(idempotencyKey), scheduledId);
  return { scheduledId };
}

function refuse(turn: AccountTurn, scheduledAt: number, exceptId: Id | undefined): void {
  if (scheduledAt <= turn.now + scheduledLimits.aheadMillisecondsMin)
    throw validationFailure('Scheduled at The scheduled date must be in the future', { reason: 'timeTooEarly' });
  const others = Array.from(turn.range(scheduledStatuses, [turn.self.key]), ({ value }) => value).filter(
    ({ id }) => id !== exceptId,
  );
  const { perAccountMax, perDayMax } = scheduledLimits;
  if (others.length >= perAccountMax)
    throw validationFailure(`You have exceeded the limit of ${perAccountMax} scheduled posts`, {
      reason: 'tooManyScheduled',
      limit: perAccountMax,
    });
  const day = Math.floor(scheduledAt / dayMilliseconds);
  if (others.filter((other) => Math.floor(other.scheduledAt / dayMilliseconds) === day).length >= perDayMax)
    throw validationFailure(`You have exceeded the limit of ${perDayMax} scheduled posts for today`, {
      reason: 'tooManyScheduledThatDay',
      limit: perDayMax,
    });
}

function keep(turn: AccountTurn, scheduled: ScheduledStatus): void {
  const { id: scheduledId, scheduledAt } = scheduled;
  turn.put(scheduledStatuses, [turn.self.key, scheduledId], scheduled);
  turn.schedule(scheduledAt, Account.scheduledPostDue.to(turn.self.key, { scheduledId, scheduledAt }));
}

/** Throws notFound. */
function own(turn: AccountTurn, scheduledId: Id): ScheduledStatus {
  const scheduled = turn.get(scheduledStatuses, [turn.self.key, scheduledId]);
  if (scheduled === undefined) throw new Failure('notFound');
  return scheduled;
}

function reschedulePost(
  turn: AccountTurn,
  { scheduledId, scheduledAt }: BodyOf<typeof scheduledMessages.reschedulePost>,
): undefined {
  const scheduled = own(turn, scheduledId);
  refuse(turn, scheduledAt, scheduledId);
  keep(turn, { ...scheduled, scheduledAt });
}

function unschedulePost(
  turn: AccountTurn,
  { scheduledId }: BodyOf<typeof scheduledMessages.unschedulePost>,
): undefined {
  own(turn, scheduledId);
  freeMediaOf(turn, { scheduledId });
  turn.delete(scheduledStatuses, [turn.self.key, scheduledId]);
}

function scheduledPostDue(
  turn: AccountTurn,
  { scheduledId, scheduledAt }: BodyOf<typeof scheduledMessages.scheduledPostDue>,
): undefined {
  const accountId = turn.self.key;
  if (turn.get(scheduledStatuses, [accountId, scheduledId])?.scheduledAt !== scheduledAt) return;
  // From now on they can be attached to the status.
  freeMediaOf(turn, { scheduledId });
  turn.effect(publishScheduled, { accountId, scheduledId }, Account.scheduledPostTried);
}

/** A status that was rescheduled while it was being published counts as published, and only once. */
function scheduledPostTried(
  turn: AccountTurn,
  { scheduledId, isOver }: BodyOf<typeof scheduledMessages.scheduledPostTried>,
): undefined {
  const key: [Id, Id] = [turn.self.key, scheduledId];
  const scheduled = turn.get(scheduledStatuses, key);
  if (scheduled === undefined) return;
  if (isOver) turn.delete(scheduledStatuses, key);
  else keep(turn, { ...scheduled, scheduledAt: turn.now + scheduledLimits.retryMilliseconds });
}

export const scheduledFeature = feature<AccountTurn>()({
  messages: scheduledMessages,
  handlers: { schedulePost, reschedulePost, unschedulePost, scheduledPostDue, scheduledPostTried },
  state: [state],
  rules: state.scheduledRules,
});
