/**
 * The runtime's own keyspaces (numbers 1 to 19), which make messages, timers, effects and events durable. They belong
 * to the partition and only the runtime writes them.
 */

import { z } from 'zod';
import { pack, packArray, packed, packObject, raw, record } from '../codec.ts';
import type { ActorKey } from '../contract.ts';
import { partitionLimits } from '../limits.ts';
import { type Keyspace, keyspace, uint32, uint53 } from './keyspace.ts';

/**
 * The caller of one call, in one run of the program. Recognised as outdated after a restart. `invalidates`: a turn behind
 * the reply has invalidated what threads cache.
 */
export type ReplyHandle = readonly [boot: number, thread: number, call: number, invalidates?: boolean | undefined];
const ReplyHandle = z.tuple([z.number(), z.number(), z.number(), z.boolean().optional()]);

/** A message as stored in an outbox, an inbox or a timer. */
export type StoredMessage = readonly [
  kind: number,
  key: ActorKey,
  message: number,
  body: unknown,
  flow: string,
  replyTo?: ReplyHandle | undefined,
  /** The traced request that caused it. */
  cause?: string | undefined,
];
const actorKey: z.ZodType<ActorKey> = z.union([z.bigint(), z.string()]);
const StoredMessage: z.ZodType<StoredMessage> = z.tuple([
  z.number(),
  actorKey,
  z.number(),
  z.unknown(),
  z.string(),
  ReplyHandle.optional(),
  z.string().optional(),
]);

/** Written where an earlier version did not count. */
export const notCounted = -1;

/**
 * An epoch is one start of the data folder: the manifest, the identity of each partition, its log and its frames carry
 * the same number. Earlier versions used the time as the epoch of logs and frames: these are all over.
 */
export function countedEpoch(stored: number): number {
  return stored < timeMin ? stored : 0;
}

/** A day in 2001, in milliseconds: larger than any number of starts. */
const timeMin = 1_000_000_000_000;

const PartitionMeta = z.object({
  commit: z.number(),
  /** No id of an earlier commit is above this millisecond. */
  idMillisecondsMax: z.number(),
  inboxSequence: z.number(),
  timerSequence: z.number(),
  effectSequence: z.number(),
  deadLetterSequence: z.number(),
  /** Size of the event log. */
  eventBytes: z.number(),
  /** The epoch of the log's last commit. Read it with `countedEpoch`. */
  epoch: z.number().default(0),
  /** No id was ever given between these milliseconds: the clock jumped over them. */
  idGapFrom: z.number().default(0),
  idGapUntil: z.number().default(0),
  /** Dead letters in the database (where they were counted), and those moved to the archive file. */
  deadLettersKept: z.number().default(notCounted),
  deadLettersArchived: z.number().default(0),
  /** The last event trimmed from the log: its commit (0 for none) and its index in it. */
  eventsTrimmedCommit: z.number().default(notCounted),
  eventsTrimmedIndex: z.number().default(0),
});
export type PartitionMeta = z.infer<typeof PartitionMeta>;

/** Of an empty partition. */
export const startingMeta: PartitionMeta = {
  commit: 0,
  idMillisecondsMax: 0,
  inboxSequence: 0,
  timerSequence: 0,
  effectSequence: 0,
  deadLetterSequence: 0,
  eventBytes: 0,
  epoch: 0,
  idGapFrom: 0,
  idGapUntil: 0,
  deadLettersKept: notCounted,
  deadLettersArchived: 0,
  eventsTrimmedCommit: 0,
  eventsTrimmedIndex: 0,
};

export const meta = keyspace<[number], PartitionMeta>({
  number: 1,
  name: 'meta',
  owner: 'machine',
  partitionWide: true,
  key: [uint32('always 0')],
  value: packed(PartitionMeta),
  bound: { by: 'count', entries: 1 },
});

export const metaRecords: Keyspace<[number], Uint8Array> = { ...meta, value: raw };

/** One record per commit and destination: the messages of that commit, in a frame; frames are numbered without gaps. */
export const outbox = keyspace<[number, number], Uint8Array>({
  number: 2,
  name: 'outbox',
  owner: 'machine',
  partitionWide: true,
  scopeParts: 1,
  key: [uint32('destination'), uint53('sequence')],
  value: raw,
  bound: { by: 'owner', reason: 'deleted when the destination has acknowledged it' },
});

/** The last frame taken from a source partition. */
const Cursor = z.object({
  sequence: z.number(),
  epoch: z.number(),
  /** Absent where an earlier version took the frame. */
  digest: z.number().optional(),
});
export type Cursor = z.infer<typeof Cursor>;

export const cursors = keyspace<[number], Cursor>({
  number: 3,
  name: 'cursors',
  owner: 'machine',
  partitionWide: true,
  key: [uint32('source')],
  value: record(Cursor),
  bound: { by: 'owner', reason: 'one per partition' },
});

/** The same records undecoded, for code that must continue when one of them cannot be decoded. */
export const cursorRecords: Keyspace<[number], Uint8Array> = { ...cursors, value: raw };

/** Durable messages that wait for their actor. */
export const inbox = keyspace<[number], StoredMessage>({
  number: 4,
  name: 'inbox',
  owner: 'machine',
  partitionWide: true,
  key: [uint53('sequence')],
  value: packed(StoredMessage),
  bound: { by: 'owner', reason: 'deleted by the turn that runs it' },
});

export const inboxRecords: Keyspace<[number], Uint8Array> = { ...inbox, value: raw };

export const timers = keyspace<[number, number], StoredMessage>({
  number: 5,
  name: 'timers',
  owner: 'machine',
  partitionWide: true,
  key: [uint53('due'), uint53('sequence')],
  value: packed(StoredMessage),
  bound: { by: 'owner', reason: 'deleted by the turn that runs it' },
});

export const timerRecords: Keyspace<[number, number], Uint8Array> = { ...timers, value: raw };

const PendingEffect = z.object({
  effect: z.number(),
  request: z.unknown(),
  kind: z.number(),
  key: actorKey,
  message: z.number(),
  flow: z.string(),
  cause: z.string().optional(),
});
export type PendingEffect = z.infer<typeof PendingEffect>;

export const effects = keyspace<[number], PendingEffect>({
  number: 6,
  name: 'effects',
  owner: 'machine',
  partitionWide: true,
  key: [uint53('sequence')],
  value: packed(PendingEffect),
  bound: { by: 'owner', reason: 'deleted with its answer' },
});

export const effectRecords: Keyspace<[number], Uint8Array> = { ...effects, value: raw };

const CommitEvents = z.object({
  at: z.number(),
  events: z.array(z.object({ event: z.number(), body: z.unknown() })).readonly(),
});
export type CommitEvents = z.infer<typeof CommitEvents>;

export const events = keyspace<[number], CommitEvents>({
  number: 7,
  name: 'events',
  owner: 'machine',
  partitionWide: true,
  key: [uint53('commit')],
  value: packed(CommitEvents),
  bound: { by: 'age', milliseconds: partitionLimits.eventAgeMilliseconds },
});

/** The same records (CommitEvents) undecoded. */
export const eventRecords = keyspace<[number], Uint8Array>({
  number: events.number,
  name: events.name,
  owner: events.owner,
  partitionWide: true,
  key: [uint53('commit')],
  value: raw,
  bound: events.bound,
});

/** A CommitEvents record made of packed events. */
export function packCommitEvents(at: number, packedEvents: readonly Uint8Array[]): Uint8Array {
  return packObject({ at: pack(at), events: packArray(packedEvents) } satisfies Record<keyof CommitEvents, Uint8Array>);
}

const DeadLetter = z.object({
  at: z.number(),
  message: StoredMessage,
  error: z.string(),
  /** Set where the failure was not the message's but that of the effect that should have given its body. */
  effect: PendingEffect.optional(),
  /** Set where the letter is a record of state that cannot be decoded: its key. The body is its bytes. */
  recordKey: z.custom<Uint8Array>((value) => value instanceof Uint8Array).optional(),
});
export type DeadLetter = z.infer<typeof DeadLetter>;

export const deadLetters = keyspace<[number], DeadLetter>({
  number: 8,
  name: 'dead letters',
  owner: 'machine',
  partitionWide: true,
  key: [uint53('sequence')],
  value: packed(DeadLetter),
  bound: { by: 'owner', reason: 'above deadLettersMax or deadLettersBytesMax the oldest go to a file' },
});

export const deadLetterRecords: Keyspace<[number], Uint8Array> = { ...deadLetters, value: raw };

const PartitionIdentity = z.object({
  /** The id of the data folder. */
  folder: z.string(),
  number: z.number(),
  partitions: z.number(),
  /** The last start of the folder in which this partition took part; it opens its log in this epoch. */
  epoch: z.number(),
  /** The last migration that its entries have been through. */
  format: z.number(),
  /** The last key that the running migration has handled. */
  migrated: z.custom<Uint8Array>((value) => value instanceof Uint8Array).optional(),
});
export type PartitionIdentity = z.infer<typeof PartitionIdentity>;

/** Which partition of which folder this is: a file that was moved, swapped or restored alone is noticed at start. */
export const identity = keyspace<[number], PartitionIdentity>({
  number: 9,
  name: 'identity',
  owner: 'machine',
  partitionWide: true,
  key: [uint32('always 0')],
  value: record(PartitionIdentity),
  bound: { by: 'count', entries: 1 },
});

const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);

const StreamPlace = z.object({
  /** The position in the stream of the last record that is applied here, and its digest. */
  sequence: z.number(),
  digest: bytes,
  /** The counters with it. Others mean that the partition was written without its stream. */
  commit: z.number(),
  epoch: z.number(),
});
export type StreamPlace = z.infer<typeof StreamPlace>;

/** How far a partition whose log is a stream has applied it. Written in the transaction of what was applied. */
export const streamPlace = keyspace<[number], StreamPlace>({
  number: 10,
  name: 'place in the stream',
  owner: 'machine',
  partitionWide: true,
  key: [uint32('always 0')],
  value: record(StreamPlace),
  bound: { by: 'count', entries: 1 },
});

export const machineKeyspaces = [
  meta,
  outbox,
  cursors,
  inbox,
  timers,
  effects,
  events,
  deadLetters,
  identity,
  streamPlace,
] as const;
