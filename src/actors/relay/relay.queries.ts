/** Reads of the relay's state. */
import { slotOfKey } from '../../runtime/ids.ts';
import type { Placement } from '../../runtime/ports.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import type { LaneState } from '../partition/partition.records.ts';
import { relayKey } from './relay.messages.ts';
import { emptyRelayState, type RelayLogEntry, type RelayState, type Subscription } from './relay.records.ts';
import { relayLanes, relayLog, relayStates, subscriptionNumbers, subscriptions } from './relay.state.ts';

/** The partition that has all of it. */
export function partitionOfRelay(placement: Pick<Placement, 'partitionOf'>): number {
  return placement.partitionOf(slotOfKey(relayKey));
}

export function relayState(reader: Reader): RelayState {
  return reader.get(relayStates, [relayKey]) ?? emptyRelayState;
}

export function findSubscription(reader: Reader, host: string): Subscription | undefined {
  return reader.get(subscriptions, [relayKey, host]);
}

/** In no particular order. */
export function* allSubscriptions(reader: Reader): Generator<Subscription> {
  for (const { value } of reader.range(subscriptions, [relayKey])) yield value;
}

export function activeSubscriptions(reader: Reader): number {
  let count = 0;
  for (const { state } of allSubscriptions(reader)) if (state === 'active') count += 1;
  return count;
}

export function hostOfSubscription(reader: Reader, number: number): string | undefined {
  return reader.get(subscriptionNumbers, [relayKey, number])?.host;
}

export interface LoggedRelay extends RelayLogEntry {
  readonly sequence: number;
}

/** The next entries after a sequence, oldest first. */
export function relayedAfter(reader: Reader, sequence: number, limit: number): LoggedRelay[] {
  const entries: LoggedRelay[] = [];
  // Counted here: a limit of the range would count damaged entries, which it leaves out.
  for (const { key, value } of reader.range(relayLog, [relayKey], { from: sequence + 1 })) {
    entries.push({ ...value, sequence: key[1] });
    if (entries.length === limit) break;
  }
  return entries;
}

export function findRelayed(reader: Reader, sequence: number): LoggedRelay | undefined {
  const entry = reader.get(relayLog, [relayKey, sequence]);
  return entry && { ...entry, sequence };
}

export function findRelayLane(reader: Reader, number: number): LaneState | undefined {
  return reader.get(relayLanes, [relayKey, number]);
}
