/** The keyspaces of the directory. Names are stored as digests: see storage/keyspace.ts. */
import { z } from 'zod';
import { record } from '../../runtime/codec.ts';
import { hashedString, id, keyspace } from '../../runtime/storage/keyspace.ts';
import { identifier } from '../account/account.records.ts';

const owner = 'directory';

export const DirectoryEntry = z.object({
  /** Absent for an email address reserved by an unfinished sign-up, and for a host. */
  accountId: identifier.optional(),
  /** The user name for which an address is reserved. */
  claim: z.string().optional(),
  /** Of an address: accounts that signed up with it and have not confirmed it, the latest last. They do not own it. */
  pendingIds: z.array(identifier).optional(),
});
export type DirectoryEntry = z.infer<typeof DirectoryEntry>;

export const names = keyspace<[string], DirectoryEntry>({
  number: 96,
  name: 'names',
  owner,
  key: [hashedString('directory')],
  value: record(DirectoryEntry),
  bound: { by: 'owner', reason: 'as long as the account; a reserved address until its sign-up ends' },
});

const KnownHost = z.object({ host: z.string() });

/** The hosts of known remote accounts, each in the partition of its name, in the order in which they became known. */
export const knownHosts = keyspace<[bigint], z.infer<typeof KnownHost>>({
  number: 97,
  name: 'known hosts',
  owner,
  partitionWide: true,
  absentIfDamaged: true,
  key: [id('host')],
  value: record(KnownHost),
  bound: { by: 'owner', reason: 'one per remote server' },
});
