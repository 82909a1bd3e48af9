/**
 * The keyspaces of a partition for deliveries. Hosts have a small number per partition, so that a delivery to thousands
 * of hosts is one record with four bytes for each.
 */
import { z } from 'zod';
import { present, record } from '../../runtime/codec.ts';
import { hashedString, id, type Keyspace, keyspace, uint32, uint53 } from '../../runtime/storage/keyspace.ts';
import { countEntries, disagreement, type Rule, rule, trimmed } from '../../runtime/storage/rules.ts';
import { Intent } from '../intents.ts';
import { LaneState } from './partition.records.ts';

const owner = 'partition';
const partitionWide = true;
/** The domain actor of a host writes its followers and its number here directly. */
const sharedWith = ['domain'];

const DeliveryMeta = z.object({
  nextSequence: z.number(),
  nextHost: z.number(),
  /** Of the push log; absent before its first entry. */
  nextPush: z.number().optional(),
  /** Of the mail log; absent before its first entry. */
  nextMail: z.number().optional(),
  /** Of the webhook log; absent before its first entry. */
  nextWebhook: z.number().optional(),
});
export type DeliveryMeta = z.infer<typeof DeliveryMeta>;
export const deliveryMeta = keyspace<[number], DeliveryMeta>({
  number: 130,
  name: 'delivery meta',
  owner,
  sharedWith,
  partitionWide,
  key: [uint32('always 0')],
  value: record(DeliveryMeta),
  bound: { by: 'count', entries: 1 },
});

const HostOfNumber = z.object({ host: z.string() });
export const hostsByNumber = keyspace<[number], z.infer<typeof HostOfNumber>>({
  number: 131,
  name: 'hosts by number',
  owner,
  sharedWith,
  partitionWide,
  absentIfDamaged: true,
  key: [uint32('host')],
  value: record(HostOfNumber),
  bound: { by: 'owner', reason: 'one per remote host that was ever delivered to' },
});

const NumberOfHost = z.object({ number: z.number() });
export const numbersOfHosts = keyspace<[string], z.infer<typeof NumberOfHost>>({
  number: 132,
  name: 'numbers of hosts',
  owner,
  sharedWith,
  partitionWide,
  derived: true,
  key: [hashedString('host')],
  value: record(NumberOfHost),
  bound: { by: 'owner', reason: 'one per remote host that was ever delivered to' },
});

const HostReach = z.object({ inboxes: z.number() });
/** The hosts at which an account has followers, with the number of their inboxes. */
export const followerHosts = keyspace<[bigint, number], z.infer<typeof HostReach>>({
  number: 133,
  name: 'follower hosts',
  owner,
  sharedWith,
  partitionWide,
  derived: true,
  scopeParts: 1,
  key: [id('account'), uint32('host')],
  value: record(HostReach),
  bound: { by: 'owner', reason: 'as long as the follows' },
});

/** The same entries, without decoding values: a fan-out scans thousands of keys. */
export const followerHostNumbers: Keyspace<[bigint, number], true> = { ...followerHosts, value: present };

const HostInbox = z.object({ inbox: z.string(), followers: z.number() });
export type HostInbox = z.infer<typeof HostInbox>;
/** These inboxes, with the number of followers behind each: a single inbox where the host has a shared one. */
export const followerHostInboxes = keyspace<[bigint, number, string], HostInbox>({
  number: 137,
  name: 'follower host inboxes',
  owner,
  sharedWith,
  partitionWide,
  absentIfDamaged: true,
  derived: true,
  scopeParts: 2,
  key: [id('account'), uint32('host'), hashedString('inbox')],
  value: record(HostInbox),
  bound: { by: 'owner', reason: 'as long as the follows' },
});

export const Delivery = z.object({
  at: z.number(),
  intent: Intent,
  /** The account whose followers at `hosts` are meant. */
  followersOf: z.bigint().optional(),
  /** Host numbers as big-endian 32-bit integers. */
  hosts: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
  /** Single inboxes. */
  single: z.array(z.object({ host: z.number(), inbox: z.string() })),
  /** Numbers of hosts of accounts that are addressed by name, also where `hosts` includes them: served first. */
  addressed: z.array(z.number()).default([]),
  /** The traced request that caused it. */
  cause: z.string().optional(),
});
export type Delivery = z.infer<typeof Delivery>;
/** No delivery is sent later than this (lifetimes in federation/delivery/limits.ts). */
export const deliveryAgeMilliseconds = 14 * 24 * 60 * 60 * 1000;
export const deliveryLog = keyspace<[number], Delivery>({
  number: 134,
  name: 'delivery log',
  owner,
  partitionWide,
  absentIfDamaged: true,
  key: [uint53('sequence')],
  value: record(Delivery),
  bound: { by: 'age', milliseconds: deliveryAgeMilliseconds },
});

/** The same entries, without decoding values. */
export const deliverySequences: Keyspace<[number], true> = { ...deliveryLog, value: present };

export const laneStates = keyspace<[number], LaneState>({
  number: 135,
  name: 'lane states',
  owner,
  partitionWide,
  absentIfDamaged: true,
  key: [uint32('host')],
  value: record(LaneState),
  bound: { by: 'owner', reason: 'one per remote host' },
});

/** The number of network threads that read this log, and the sequence below which none of them needs it. */
export const DeliveryReader = z.object({ readers: z.number(), floor: z.number() });
export const deliveryReaders = keyspace<[number], z.infer<typeof DeliveryReader>>({
  number: 136,
  name: 'delivery readers',
  owner,
  partitionWide,
  key: [uint32('reader')],
  value: record(DeliveryReader),
  bound: { by: 'owner', reason: 'one per network thread' },
});

/** Threads report within a second: so many deliveries take longer, and only then something keeps those that are too old. */
export const overtakenDeliveriesMax = 16_384;

export const deliveryRules: readonly Rule[] = [
  trimmed(deliveryLog, {
    milliseconds: deliveryAgeMilliseconds,
    overtakenMax: overtakenDeliveriesMax,
    writtenAt: ({ at }) => at,
  }),
  rule(deliveryReaders, (_key, { floor }, reader) =>
    floor <= (reader.get(deliveryMeta, [0])?.nextSequence ?? 1) ? undefined : 'has read more than there is',
  ),
  rule(hostsByNumber, ([number], { host }, reader) =>
    reader.get(numbersOfHosts, [host])?.number === number ? undefined : 'is not found by its name',
  ),
  rule(numbersOfHosts, (_key, { number }, reader) =>
    reader.get(hostsByNumber, [number]) === undefined ? 'leads to a number that no host has' : undefined,
  ),
  rule(followerHosts, ([account, host], { inboxes }, reader) =>
    disagreement('inboxes', inboxes, countEntries(reader, followerHostInboxes, [account, host])),
  ),
  rule(laneStates, ([number], _state, reader) =>
    reader.get(hostsByNumber, [number]) === undefined ? 'is of a host that has no number' : undefined,
  ),
  rule(deliveryMeta, (_key, { nextHost }, reader) => {
    for (const { key } of reader.range(hostsByNumber, [], { reverse: true, limit: 1 }))
      if (key[0] >= nextHost) return `would give the number ${nextHost} again`;
    return undefined;
  }),
  rule(deliveryLog, ([sequence], _delivery, reader) =>
    sequence < (reader.get(deliveryMeta, [0])?.nextSequence ?? 0) ? undefined : 'is numbered above the last one',
  ),
];
