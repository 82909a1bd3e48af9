/**
 * The log of what the relay passes on: each activity once, whoever brings it; what is too old, or read by all, goes, and
 * the oldest makes room.
 */
import type { BodyOf } from '../../runtime/contract.ts';
import type { Turn } from '../../runtime/partition/turn.ts';
import { relayLimits } from './limits.ts';
import { relayAppended } from './relay.events.ts';
import { type Relay, relayKey } from './relay.messages.ts';
import { emptyRelayState, type Relayed, type RelayState } from './relay.records.ts';
import { bytesOfEntry, relayLanes, relayLog, relayStates, subscriptionNumbers } from './relay.state.ts';
import { forgetNames, wasSeen } from './seen-names.ts';

type RelayTurn = Turn<string>;

export function stateOf(turn: RelayTurn): RelayState {
  return turn.get(relayStates, [relayKey]) ?? emptyRelayState;
}

export function publish(turn: RelayTurn, message: BodyOf<typeof Relay.publish>): { areNew: boolean[] } {
  const before = stateOf(turn);
  let state = before;
  const areNew = message.posts.map(({ relayed, names }) => {
    const isNew = !wasSeen(turn, state, names);
    if (isNew) state = append(turn, state, relayed, message);
    return isNew;
  });
  const added = state.nextSequence - before.nextSequence;
  if (added === 0) return { areNew };
  turn.put(relayStates, [relayKey], forgetNames(turn, state, added));
  turn.emit(relayAppended, { sequence: state.nextSequence - 1 });
  return { areNew };
}

function append(
  turn: RelayTurn,
  before: RelayState,
  relayed: Relayed,
  { ageMilliseconds, logBytesMax }: Pick<BodyOf<typeof Relay.publish>, 'ageMilliseconds' | 'logBytesMax'>,
): RelayState {
  const sequence = before.nextSequence;
  const bytes = bytesOfEntry(relayed);
  const state = makeRoom(turn, before, Math.max(0, logBytesMax - bytes));
  turn.put(relayLog, [relayKey, sequence], { ...relayed, at: turn.now, expiresAt: turn.now + ageMilliseconds });
  return { ...state, nextSequence: sequence + 1, logBytes: state.logBytes + bytes };
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
