/**
 * The log of what the relay passes on: each activity once, whoever brings it; what is too old, or read by all, goes, and
 * the oldest makes room.
 */
import type { BodyOf } from '../../runtime/contract.ts';
import { digestOfName } from '../../runtime/ids.ts';
import type { Turn } from '../../runtime/partition/turn.ts';
import { relayLimits } from './limits.ts';
import { relayAppended } from './relay.events.ts';
import { type Relay, relayKey } from './relay.messages.ts';
import { emptyRelayState, type RelayState } from './relay.records.ts';
import { bytesOfEntry, relayLanes, relayLog, relaySeen, relayStates, subscriptionNumbers } from './relay.state.ts';

type RelayTurn = Turn<string>;

export function stateOf(turn: RelayTurn): RelayState {
  return turn.get(relayStates, [relayKey]) ?? emptyRelayState;
}

export function publish(turn: RelayTurn, message: BodyOf<typeof Relay.publish>): { isNew: boolean } {
  const { relayed, names, ageMilliseconds, logBytesMax } = message;
  if (wasSeen(turn, names)) return { isNew: false };
  const before = stateOf(turn);
  const sequence = before.nextSequence;
  const entry = { ...relayed, at: turn.now, expiresAt: turn.now + ageMilliseconds };
  const bytes = bytesOfEntry(entry);
  const state = makeRoom(turn, before, Math.max(0, logBytesMax - bytes));
  turn.put(relayLog, [relayKey, sequence], entry);
  turn.put(relayStates, [relayKey], { ...state, nextSequence: sequence + 1, logBytes: state.logBytes + bytes });
  turn.emit(relayAppended, { sequence });
  return { isNew: true };
}

/** Remembers them all, unless one of them was seen before. */
function wasSeen(turn: RelayTurn, texts: readonly string[]): boolean {
  const names = texts.map(nameOf);
  const { seenPortionMilliseconds, seenAgeMilliseconds, forgottenAtOnce } = relayLimits;
  const portion = Math.floor(turn.now / seenPortionMilliseconds);
  const oldest = portion - Math.ceil(seenAgeMilliseconds / seenPortionMilliseconds);
  for (const name of names)
    for (let earlier = portion; earlier >= oldest; earlier -= 1)
      if (turn.get(relaySeen, [relayKey, earlier, name]) !== undefined) return true;
  forget(turn, oldest, forgottenAtOnce);
  for (const name of names) turn.put(relaySeen, [relayKey, portion, name], { at: turn.now });
  return false;
}

/** A hashed text, of which a key can be read back. */
function nameOf(text: string): bigint {
  return digestOfName(text).readBigUInt64BE();
}

function forget(turn: RelayTurn, oldest: number, limit: number): void {
  for (const { key } of turn.range(relaySeen, [relayKey], { limit })) {
    if (key[1] >= oldest) return;
    turn.delete(relaySeen, [relayKey, key[1], key[2]]);
  }
}

/** Deletes the oldest until `bytesMax` is left of the log. */
function makeRoom(turn: RelayTurn, state: RelayState, bytesMax: number): RelayState {
  let { logBytes, overwritten, overwrittenThrough } = state;
  if (logBytes <= bytesMax) return state;
  for (const { key, value } of turn.range(relayLog, [relayKey], { limit: relayLimits.trimmedAtOnce })) {
    if (logBytes <= bytesMax) break;
    turn.delete(relayLog, [relayKey, key[1]]);
    logBytes -= bytesOfEntry(value);
    if (value.expiresAt < turn.now) continue;
    overwritten += 1;
    overwrittenThrough = key[1];
  }
  return { ...state, logBytes, overwritten, overwrittenThrough };
}

export function progressed(
  turn: RelayTurn,
  { reader, readers, lanes, floor }: BodyOf<typeof Relay.progressed>,
): { more: boolean } {
  // The lane of a subscription that has ended meanwhile is forgotten.
  for (const { host: number, ...lane } of lanes)
    if (turn.get(subscriptionNumbers, [relayKey, number]) !== undefined) turn.put(relayLanes, [relayKey, number], lane);
  const before = stateOf(turn);
  const others = before.readers.filter((other) => other.reader !== reader && other.readers === readers);
  const present = [...others, { reader, readers, floor }];
  // A thread that has not reported since the number of threads changed may need everything.
  const commonFloor = present.length < readers ? 0 : Math.min(...present.map((each) => each.floor));
  const { logBytes, more } = trim(turn, before.logBytes, commonFloor);
  turn.put(relayStates, [relayKey], { ...before, readers: present, logBytes });
  return { more };
}

function trim(turn: RelayTurn, before: number, floor: number): { logBytes: number; more: boolean } {
  let logBytes = before;
  let deleted = 0;
  for (const { key, value } of turn.range(relayLog, [relayKey], { limit: relayLimits.trimmedAtOnce })) {
    if (key[1] >= floor && value.expiresAt >= turn.now) return { logBytes, more: false };
    turn.delete(relayLog, [relayKey, key[1]]);
    logBytes -= bytesOfEntry(value);
    deleted += 1;
  }
  return { logBytes, more: deleted === relayLimits.trimmedAtOnce };
}
