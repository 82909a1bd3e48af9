/** The keyspaces of the relay: 157, 241 and 243 to 247. */
import { z } from 'zod';
import { record } from '../../runtime/codec.ts';
import { hashedString, keyspace, position, uint32, uint53 } from '../../runtime/storage/keyspace.ts';
import { type Rule, rule } from '../../runtime/storage/rules.ts';
import { LaneState } from '../partition/partition.records.ts';
import { relayLimits } from './limits.ts';
import { relayKey } from './relay.messages.ts';
import { RelayLogEntry, RelayState, Subscription } from './relay.records.ts';

const owner = 'relay';

export const subscriptions = keyspace<[string, string], Subscription>({
  number: 241,
  name: 'relay subscriptions',
  owner,
  key: [hashedString('relay'), hashedString('host')],
  value: record(Subscription),
  bound: { by: 'count', entries: relayLimits.subscriptionsMax },
});

export const relayLog = keyspace<[string, number], RelayLogEntry>({
  number: 243,
  name: 'relay log',
  owner,
  absentIfDamaged: true,
  key: [hashedString('relay'), uint53('sequence')],
  value: record(RelayLogEntry),
  bound: { by: 'owner', reason: 'bounded in bytes and by age, which options choose' },
});

const Named = z.object({ host: z.string() });

/** The subscribers by the numbers of their lanes. */
export const subscriptionNumbers = keyspace<[string, number], z.infer<typeof Named>>({
  number: 244,
  name: 'relay subscription numbers',
  owner,
  derived: true,
  key: [hashedString('relay'), uint32('number')],
  value: record(Named),
  bound: { by: 'count', entries: relayLimits.subscriptionsMax },
});

/** When it came. */
const Seen = z.object({ at: z.number() });

/** The names of what was passed on, hashed: a sweep that new posts drive removes them after some days. */
export const relayNames = keyspace<[string, bigint], z.infer<typeof Seen>>({
  number: 157,
  name: 'relay names',
  owner,
  absentIfDamaged: true,
  key: [hashedString('relay'), position('name')],
  value: record(Seen),
  bound: { by: 'owner', reason: 'each new post sweeps more of them than it adds' },
});

/** Where earlier versions have stored such names: by the portion of time in which they came. Nothing is added any more. */
export const relaySeen = keyspace<[string, number, bigint], z.infer<typeof Seen>>({
  number: 245,
  name: 'relay seen',
  owner,
  absentIfDamaged: true,
  key: [hashedString('relay'), uint32('portion'), position('name')],
  value: record(Seen),
  bound: { by: 'owner', reason: 'nothing is added, and new posts remove what is left of it' },
});

export const relayLanes = keyspace<[string, number], LaneState>({
  number: 246,
  name: 'relay lanes',
  owner,
  absentIfDamaged: true,
  key: [hashedString('relay'), uint32('number')],
  value: record(LaneState),
  bound: { by: 'count', entries: relayLimits.subscriptionsMax },
});

export const relayStates = keyspace<[string], RelayState>({
  number: 247,
  name: 'relay state',
  owner,
  key: [hashedString('relay')],
  value: record(RelayState),
  bound: { by: 'count', entries: 1 },
});

export const relayRules: readonly Rule[] = [
  rule(subscriptions, (_key, { host, number }, reader) =>
    reader.get(subscriptionNumbers, [relayKey, number])?.host === host ? undefined : 'is not found by its number',
  ),
  rule(subscriptionNumbers, ([, number], { host }, reader) =>
    reader.get(subscriptions, [relayKey, host])?.number === number ? undefined : 'is of a server that has another one',
  ),
  rule(relayLanes, ([, number], _state, reader) =>
    reader.get(subscriptionNumbers, [relayKey, number]) === undefined ? 'is of no subscription' : undefined,
  ),
  rule(relayLog, ([, sequence], _entry, reader) =>
    sequence < (reader.get(relayStates, [relayKey])?.nextSequence ?? 0) ? undefined : 'is numbered above the last one',
  ),
  rule(relayStates, (_key, { nextSequence, readers, logBytes }, reader) => {
    if (readers.some(({ floor }) => floor > nextSequence)) return 'has read more than there is';
    let bytes = 0;
    for (const { value } of reader.range(relayLog, [relayKey])) bytes += bytesOfEntry(value);
    return bytes === logBytes ? undefined : `counts ${logBytes} bytes of a log with ${bytes}`;
  }),
];

/** About its size in the log besides the body. */
const entryBytes = 300;

export function bytesOfEntry({ body }: Pick<RelayLogEntry, 'body'>): number {
  return entryBytes + (body?.byteLength ?? 0);
}
