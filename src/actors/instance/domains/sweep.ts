/**
 * Applies rules for other servers to the accounts that are known already, in slices: each is an effect that reads some
 * accounts and tells those whose state differs from what the rules ask. A sweep compares all of them with all rules, so
 * that one sweep is enough for any number of changes; the change of a rule begins it anew.
 */
import type { BodyOf } from '../../../runtime/contract.ts';
import { Instance } from '../instance.messages.ts';
import type { InstanceTurn } from '../instance.turn.ts';
import { applyDomainPolicy } from './domains.effects.ts';
import { domainPolicyChanged } from './domains.events.ts';
import type { domainMessages } from './domains.messages.ts';
import type { SweepPosition } from './domains.records.ts';
import { type DomainPolicyState, domainPolicyStates } from './domains.state.ts';

const initial: DomainPolicyState = { revision: 0, isSweeping: false, blocks: 0, allows: 0 };

export function policyState(turn: InstanceTurn): DomainPolicyState {
  return turn.get(domainPolicyStates, [turn.self.key]) ?? initial;
}

/** `domains`: those whose rules have changed; none for the mode of federation. */
export function policyChanged(
  turn: InstanceTurn,
  domains: readonly string[],
  counts: Partial<Pick<DomainPolicyState, 'blocks' | 'allows'>> = {},
): void {
  turn.emit(domainPolicyChanged, { domains: [...domains] });
  const before = policyState(turn);
  const revision = before.revision + 1;
  turn.put(domainPolicyStates, [turn.self.key], { ...before, ...counts, revision, isSweeping: true });
  if (!before.isSweeping) sweepFrom(turn, revision, { partition: 0 });
}

function sweepFrom(turn: InstanceTurn, revision: number, from: SweepPosition): void {
  turn.effect(applyDomainPolicy, { revision, from }, Instance.policyApplied);
}

/** A sweep that a later change has overtaken begins anew. */
export function policyApplied(
  turn: InstanceTurn,
  { revision, next }: BodyOf<typeof domainMessages.policyApplied>,
): undefined {
  const state = policyState(turn);
  if (state.revision !== revision) sweepFrom(turn, state.revision, { partition: 0 });
  else if (next === undefined) turn.put(domainPolicyStates, [turn.self.key], { ...state, isSweeping: false });
  else sweepFrom(turn, revision, next);
}
