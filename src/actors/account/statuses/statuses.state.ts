/** The keyspaces of statuses. They share their author's slot, so an id alone finds them. */
import { z } from 'zod';
import { type Codec, present, record } from '../../../runtime/codec.ts';
import { hashedString, id, keyspace } from '../../../runtime/storage/keyspace.ts';
import { owner, Reference, withAccount, withStatus } from '../account.state.ts';
import { Status, StatusCounters, StatusSummary } from './statuses.records.ts';

export const statuses = keyspace<[bigint], Status>({
  number: 25,
  name: 'statuses',
  owner,
  key: [id('status')],
  value: record(Status),
  bound: withAccount,
});

export const statusesOfAccount = keyspace<[bigint, bigint], StatusSummary>({
  number: 26,
  name: 'statuses of account',
  owner,
  derived: true,
  key: [id('account'), id('status')],
  value: record(StatusSummary),
  bound: withStatus,
});

export const statusCounters = keyspace<[bigint], StatusCounters>({
  number: 27,
  name: 'status counters',
  owner,
  key: [id('status')],
  value: record(StatusCounters),
  bound: withStatus,
});

/** One byte: 2 where everybody could see the status. Others never existed, as far as strangers are told. */
const tombstone: Codec<{ wasForEverybody: boolean }> = {
  encode: ({ wasForEverybody }) => Uint8Array.of(wasForEverybody ? 2 : 1),
  decode: (bytes) => ({ wasForEverybody: bytes[0] === 2 }),
};

/** Deleted ids, so that they are not given again to something that claims the same time. */
export const tombstones = keyspace<[bigint], { wasForEverybody: boolean }>({
  number: 28,
  name: 'tombstones',
  owner,
  key: [id('status')],
  value: tombstone,
  bound: withAccount,
});

export const replies = keyspace<[bigint, bigint], true>({
  number: 29,
  name: 'replies',
  owner,
  key: [id('status'), id('reply')],
  value: present,
  bound: withStatus,
});

const Idempotency = z.object({ statusId: z.bigint(), at: z.number() });

export const idempotencyKeys = keyspace<[bigint, string], z.infer<typeof Idempotency>>({
  number: 49,
  name: 'idempotency keys',
  owner,
  key: [id('account'), hashedString('key')],
  value: record(Idempotency),
  bound: { by: 'age', milliseconds: 60 * 60 * 1000 },
});

/** Remote statuses by their ActivityPub id. Every partition is asked: the id alone does not tell the author. */
export const statusByUri = keyspace<[string], Reference>({
  number: 50,
  name: 'status by URI',
  owner,
  partitionWide: true,
  derived: true,
  key: [hashedString('uri')],
  value: record(Reference),
  bound: withStatus,
});
