/** The keyspaces of profiles, logins, counters and keys. Numbers: see actors/catalogue.ts. */
import { record } from '../../../runtime/codec.ts';
import { id, keyspace } from '../../../runtime/storage/keyspace.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { type Rule, rule } from '../../../runtime/storage/rules.ts';
import { owner, withAccount } from '../account.state.ts';
import { AccountCounters, KeyPair, Login, Profile } from './profile.records.ts';

export const profiles = keyspace<[bigint], Profile>({
  number: 20,
  name: 'profiles',
  owner,
  remembered: true,
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

const withoutProfile = ([account]: [bigint], _value: unknown, reader: Reader): string | undefined =>
  reader.get(profiles, [account]) === undefined ? 'is of an account that is not there' : undefined;

export const profileRules: readonly Rule[] = [
  rule(logins, withoutProfile),
  rule(keyPairs, withoutProfile),
  rule(accountCounters, withoutProfile),
];
