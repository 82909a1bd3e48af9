/**
 * Forgets old statuses of other servers that nobody here uses: a run a day, in slices, of which each is an effect. A run that
 * was interrupted goes on where its last slice ended.
 */
import type { BodyOf } from '../../../runtime/contract.ts';
import { Instance } from '../instance.messages.ts';
import type { InstanceTurn } from '../instance.turn.ts';
import { retentionLimits } from './limits.ts';
import { forgetRemoteStatuses } from './retention.effects.ts';
import type { retentionMessages } from './retention.messages.ts';
import type { Retention, RetentionRun } from './retention.records.ts';
import { retentions } from './retention.state.ts';

const { dayMilliseconds, firstMilliseconds, everyMilliseconds, pauseMilliseconds } = retentionLimits;

/** A run that goes on ends here: the next one is of the new rule. */
export function changeRetention(
  turn: InstanceTurn,
  { days }: BodyOf<typeof retentionMessages.changeRetention>,
): undefined {
  const before = turn.get(retentions, [turn.self.key]);
  if ((before?.days ?? 0) === days) return;
  const ended = before?.run && { run: { ...before.run, endedAt: before.run.endedAt ?? turn.now } };
  const after = { ...before, ...ended, id: turn.nextId(), days, nextAt: undefined };
  if (days === 0) turn.put(retentions, [turn.self.key], after);
  else beginAt(turn, after, turn.now + firstMilliseconds);
}

export function retentionDue(
  turn: InstanceTurn,
  { retentionId }: BodyOf<typeof retentionMessages.retentionDue>,
): undefined {
  const before = turn.get(retentions, [turn.self.key]);
  if (before?.id !== retentionId) return;
  const startedAt = turn.now;
  const run = { startedAt, before: startedAt - before.days * dayMilliseconds, slot: 0, examined: 0, forgotten: 0 };
  sweep(turn, { ...before, nextAt: undefined }, run);
}

export function retentionSwept(
  turn: InstanceTurn,
  { retentionId, slot, examined, forgotten }: BodyOf<typeof retentionMessages.retentionSwept>,
): undefined {
  const before = turn.get(retentions, [turn.self.key]);
  if (before?.run === undefined || before.id !== retentionId) return;
  const { run } = before;
  const after = { ...run, examined: run.examined + examined, forgotten: run.forgotten + forgotten };
  if (slot !== undefined) sweep(turn, before, { ...after, slot });
  else {
    const nextAt = Math.max(run.startedAt + everyMilliseconds, turn.now + pauseMilliseconds);
    beginAt(turn, { ...before, run: { ...after, endedAt: turn.now } }, nextAt);
  }
}

function sweep(turn: InstanceTurn, retention: Retention, run: RetentionRun): void {
  const { startedAt, before, slot } = run;
  turn.put(retentions, [turn.self.key], { ...retention, run });
  turn.effect(forgetRemoteStatuses, { retentionId: retention.id, startedAt, before, slot }, Instance.retentionSwept);
}

function beginAt(turn: InstanceTurn, retention: Retention, nextAt: number): void {
  turn.put(retentions, [turn.self.key], { ...retention, nextAt });
  turn.schedule(nextAt, Instance.retentionDue.to(turn.self.key, { retentionId: retention.id }));
}
