/** The keyspaces of profiles, logins, counters and keys. Numbers: see actors/catalogue.ts. */
import { z } from 'zod';
import { present, record } from '../../../runtime/codec.ts';
import { id, keyspace } from '../../../runtime/storage/keyspace.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { type Rule, rule } from '../../../runtime/storage/rules.ts';
import { owner, withAccount } from '../account.state.ts';
import { AccountCounters, KeyPair, Login, Profile, Role } from './profile.records.ts';

export const profiles = keyspace<[bigint], Profile>({
  number: 20,
  name: 'profiles',
  owner,
  remembered: true,
  absentIfDamaged: true,
  key: [id('account')],
  value: record(Profile),
  bound: withAccount,
});

export const logins = keyspace<[bigint], Login>({
  number: 21,
  name: 'logins',
  owner,
  remembered: true,
  key: [id('account')],
  value: record(Login),
  bound: withAccount,
});

export const accountCounters = keyspace<[bigint], AccountCounters>({
  number: 22,
  name: 'account counters',
  owner,
  absentIfDamaged: true,
  key: [id('account')],
  value: record(AccountCounters),
  bound: withAccount,
});

export const keyPairs = keyspace<[bigint], KeyPair>({
  number: 24,
  name: 'key pairs',
  owner,
  key: [id('account')],
  value: record(KeyPair),
  bound: withAccount,
});

const Member = z.object({ role: Role });

/** The accounts with another role than most: who is notified of reports and sign-ups is found here. */
export const staff = keyspace<[bigint], z.infer<typeof Member>>({
  number: 56,
  name: 'staff',
  owner,
  partitionWide: true,
  derived: true,
  key: [id('account')],
  value: record(Member),
  bound: { by: 'owner', reason: 'admins appoint them' },
});

const withoutProfile = ([account]: [bigint], _value: unknown, reader: Reader): string | undefined =>
  reader.get(profiles, [account]) === undefined ? 'is of an account that is not there' : undefined;

/** The accounts with each of the roles that staff have added. */
export const holdersOfRoles = keyspace<[bigint, bigint], true>({
  number: 191,
  name: 'holders of roles',
  owner,
  partitionWide: true,
  derived: true,
  key: [id('role'), id('account')],
  value: present,
  bound: withAccount,
});

export const profileRules: readonly Rule[] = [
  rule(logins, withoutProfile),
  rule(keyPairs, withoutProfile),
  rule(accountCounters, withoutProfile),
  rule(profiles, ([account], { role }, reader) =>
    role === 'user' || reader.get(staff, [account])?.role === role ? undefined : 'is missing among the staff',
  ),
  rule(staff, ([account], { role }, reader) =>
    reader.get(profiles, [account])?.role === role ? undefined : 'has another role',
  ),
  rule(profiles, ([account], { roleId }, reader) =>
    roleId === undefined || reader.get(holdersOfRoles, [roleId, account]) !== undefined
      ? undefined
      : 'is missing among those with its role',
  ),
  rule(holdersOfRoles, ([role, account], _value, reader) =>
    reader.get(profiles, [account])?.roleId === role ? undefined : 'has another role',
  ),
];
