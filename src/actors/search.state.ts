/**
 * The index for search by prefix: each partition keeps the names of its accounts and tags in alphabetical order,
 * written by the turns that change them. Numbers 212 to 215, 224 and 225.
 */
import { z } from 'zod';
import { present, record } from '../runtime/codec.ts';
import { hashedString, id, keyspace, textStart } from '../runtime/storage/keyspace.ts';

/** A word of the handle or of the display name, as made by `searchWords`. */
export const accountNames = keyspace<[string, bigint], true>({
  number: 212,
  name: 'account names',
  owner: 'account',
  partitionWide: true,
  derived: true,
  key: [textStart('word'), id('account')],
  value: present,
  bound: { by: 'owner', reason: 'a few words of each account' },
});

/** Those of this server once more: a search reads only some of the names with a beginning, and other servers have many. */
export const localAccountNames = keyspace<[string, bigint], true>({
  number: 224,
  name: 'local account names',
  owner: 'account',
  partitionWide: true,
  derived: true,
  key: [textStart('word'), id('account')],
  value: present,
  bound: { by: 'owner', reason: 'a few words of each account' },
});

const AccountOfHost = z.object({
  host: z.string(),
  /** The host of its actor, where that is another one. */
  actorHost: z.string().optional(),
  /** What a rule for its server does to it. */
  severity: z.enum(['silence', 'suspend']).optional(),
  /** Nothing is left of it here but that it was known. */
  isPurged: z.boolean().optional(),
});
export type AccountOfHost = z.infer<typeof AccountOfHost>;

/** The accounts of other servers, by the host of their handles. */
export const accountsOfHosts = keyspace<[string, bigint], AccountOfHost>({
  number: 225,
  name: 'accounts of hosts',
  owner: 'account',
  partitionWide: true,
  derived: true,
  absentIfDamaged: true,
  key: [hashedString('host'), id('account')],
  value: record(AccountOfHost),
  bound: { by: 'owner', reason: 'one of each account of another server' },
});

const TagName = z.object({ name: z.string() });

/** Names of tags that were ever in a public status here: the digest distinguishes those with the same beginning. */
export const tagNames = keyspace<[string, string], z.infer<typeof TagName>>({
  number: 213,
  name: 'tag names',
  owner: 'account',
  partitionWide: true,
  remembered: true,
  absentIfDamaged: true,
  key: [textStart('tag'), hashedString('tag')],
  value: record(TagName),
  bound: { by: 'owner', reason: 'one per tag' },
});

const Listed = z.object({ local: z.boolean() });

/** Accounts that want to be found by strangers (`discoverable`). */
export const discoverableAccounts = keyspace<[bigint], z.infer<typeof Listed>>({
  number: 214,
  name: 'discoverable accounts',
  owner: 'account',
  partitionWide: true,
  derived: true,
  absentIfDamaged: true,
  key: [id('account')],
  value: record(Listed),
  bound: { by: 'owner', reason: 'as long as the account' },
});

/** Those of this server once more: newer accounts of other servers may be many. */
export const discoverableLocals = keyspace<[bigint], true>({
  number: 215,
  name: 'discoverable local accounts',
  owner: 'account',
  partitionWide: true,
  derived: true,
  absentIfDamaged: true,
  key: [id('account')],
  value: present,
  bound: { by: 'owner', reason: 'as long as the account' },
});
