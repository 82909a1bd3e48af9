/** The names of what was passed on: each activity is recognised for some days, whoever brings it again. */
import { digestOfName } from '../../runtime/ids.ts';
import type { Turn } from '../../runtime/partition/turn.ts';
import { relayLimits } from './limits.ts';
import { relayKey } from './relay.key.ts';
import type { RelayState } from './relay.records.ts';
import { relayNames, relaySeen } from './relay.state.ts';

type RelayTurn = Turn<string>;

/** Remembers them all, unless one of them was seen before. */
export function wasSeen(turn: RelayTurn, { hasFormerNames }: RelayState, texts: readonly string[]): boolean {
  const names = texts.map(nameOf);
  const forgottenAt = turn.now - relayLimits.seenAgeMilliseconds;
  for (const name of names) {
    const seen = turn.get(relayNames, [relayKey, name]);
    if (seen !== undefined && seen.at >= forgottenAt) return true;
    if (hasFormerNames !== false && wasSeenFormerly(turn, name)) return true;
  }
  for (const name of names) turn.put(relayNames, [relayKey, name], { at: turn.now });
  return false;
}

/** A hashed text, of which a key can be read back. */
function nameOf(text: string): bigint {
  return digestOfName(text).readBigUInt64BE();
}

/** Removes some of the names that are too old; `added`: so many posts are new. */
export function forgetNames(turn: RelayTurn, state: RelayState, added: number): RelayState {
  const { sweptEvery, sweptForEach } = relayLimits;
  const rounds = (sequence: number) => Math.floor(sequence / sweptEvery);
  const due = rounds(state.nextSequence) - rounds(state.nextSequence - added);
  const sweptThrough =
    due === 0 ? state.sweptThrough : sweep(turn, state.sweptThrough, due * sweptEvery * sweptForEach);
  const hasFormerNames = state.hasFormerNames !== false && forgetFormer(turn, added);
  return { ...state, sweptThrough, hasFormerNames };
}

/** The sweep goes through the names in the order of their keys, and begins anew at the end. */
function sweep(turn: RelayTurn, sweptThrough: bigint | undefined, limit: number): bigint | undefined {
  const forgottenAt = turn.now - relayLimits.seenAgeMilliseconds;
  let seen = 0;
  let last: bigint | undefined;
  for (const { key, value } of turn.range(relayNames, [relayKey], { from: sweptThrough ?? 0n, limit })) {
    last = key[1];
    seen += 1;
    if (value.at < forgottenAt) turn.delete(relayNames, [relayKey, last]);
  }
  return seen < limit ? undefined : last;
}

function oldestFormerPortion(turn: RelayTurn): number {
  const { formerPortionMilliseconds, seenAgeMilliseconds } = relayLimits;
  return Math.floor((turn.now - seenAgeMilliseconds) / formerPortionMilliseconds);
}

function wasSeenFormerly(turn: RelayTurn, name: bigint): boolean {
  const oldest = oldestFormerPortion(turn);
  for (let portion = Math.floor(turn.now / relayLimits.formerPortionMilliseconds); portion >= oldest; portion -= 1)
    if (turn.get(relaySeen, [relayKey, portion, name]) !== undefined) return true;
  return false;
}

/** Whether any are left. */
function forgetFormer(turn: RelayTurn, added: number): boolean {
  const oldest = oldestFormerPortion(turn);
  const limit = added * relayLimits.formerRemovedForEach;
  let removed = 0;
  for (const { key } of turn.range(relaySeen, [relayKey], { limit })) {
    if (key[1] >= oldest) return true;
    turn.delete(relaySeen, [relayKey, key[1], key[2]]);
    removed += 1;
  }
  return removed === limit;
}
