/**
 * The log of push messages to the push services of a partition, with the progress of their lanes: as that of deliveries,
 * whose numbers of hosts it uses.
 */
import { z } from 'zod';
import { present, record } from '../../runtime/codec.ts';
import { type Keyspace, keyspace, uint32, uint53 } from '../../runtime/storage/keyspace.ts';
import { type Rule, rule, trimmed } from '../../runtime/storage/rules.ts';
import { identifier } from '../account/account.records.ts';
import { LaneState } from './partition.records.ts';
import { DeliveryReader, deliveryMeta, hostsByNumber, overtakenDeliveriesMax } from './partition.state.ts';

const owner = 'partition';
const partitionWide = true;

/** One notification for one subscription; what it says is read when it is sent. */
export const Push = z.object({
  at: z.number(),
  /** Number of the push service's host. */
  host: z.number(),
  accountId: identifier,
  notificationId: identifier,
  subscriptionId: identifier,
  /** Counts the messages for this subscription. */
  number: z.number(),
  /** The traced request that caused it. */
  cause: z.string().optional(),
});
export type Push = z.infer<typeof Push>;

/** Nobody wants to be told later. */
export const pushAgeMilliseconds = 48 * 60 * 60 * 1000;
/** Messages kept for all push services of a partition: some 20 MB. The oldest make room. */
export const pushesKeptMax = 131_072;

export const pushLog = keyspace<[number], Push>({
  number: 176,
  name: 'push log',
  owner,
  partitionWide,
  absentIfDamaged: true,
  key: [uint53('sequence')],
  value: record(Push),
  bound: { by: 'age', milliseconds: pushAgeMilliseconds },
});

/** The same entries, without decoding values. */
export const pushSequences: Keyspace<[number], true> = { ...pushLog, value: present };

export const pushLanes = keyspace<[number], LaneState>({
  number: 177,
  name: 'push lanes',
  owner,
  partitionWide,
  absentIfDamaged: true,
  key: [uint32('host')],
  value: record(LaneState),
  bound: { by: 'owner', reason: 'one per push service' },
});

export const pushReaders = keyspace<[number], z.infer<typeof DeliveryReader>>({
  number: 178,
  name: 'push readers',
  owner,
  partitionWide,
  key: [uint32('reader')],
  value: record(DeliveryReader),
  bound: { by: 'owner', reason: 'one per network thread' },
});

export const pushRules: readonly Rule[] = [
  trimmed(pushLog, {
    milliseconds: pushAgeMilliseconds,
    overtakenMax: overtakenDeliveriesMax,
    writtenAt: ({ at }) => at,
  }),
  rule(pushLog, ([sequence], { host }, reader) => {
    const { nextPush = 0 } = reader.get(deliveryMeta, [0]) ?? {};
    if (sequence >= nextPush) return 'is numbered above the last one';
    if (sequence < nextPush - pushesKeptMax) return 'should have made room for later ones';
    return reader.get(hostsByNumber, [host]) === undefined ? 'is for a host that has no number' : undefined;
  }),
  rule(pushReaders, (_key, { floor }, reader) =>
    floor <= (reader.get(deliveryMeta, [0])?.nextPush ?? 1) ? undefined : 'has read more than there is',
  ),
  rule(pushLanes, ([number], _state, reader) =>
    reader.get(hostsByNumber, [number]) === undefined ? 'is of a host that has no number' : undefined,
  ),
];
