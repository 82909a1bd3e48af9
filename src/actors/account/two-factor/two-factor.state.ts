/** The keyspaces of two-factor authentication: one record for each local account that uses it, and its passkeys. */
import { record } from '../../../runtime/codec.ts';
import { id, keyspace } from '../../../runtime/storage/keyspace.ts';
import { countEntries, type Rule, rule } from '../../../runtime/storage/rules.ts';
import { owner } from '../account.state.ts';
import { logins } from '../profile/profile.state.ts';
import { twoFactorLimits } from './limits.ts';
import { Passkey, TwoFactor } from './two-factor.records.ts';

export const twoFactors = keyspace<[bigint], TwoFactor>({
  number: 250,
  name: 'two-factor of account',
  owner,
  sparse: true,
  key: [id('account')],
  value: record(TwoFactor),
  bound: { by: 'owner', reason: 'at most one per local account' },
});

export const passkeys = keyspace<[bigint, bigint], Passkey>({
  number: 251,
  name: 'passkeys',
  owner,
  sparse: true,
  key: [id('account'), id('passkey')],
  value: record(Passkey),
  bound: { by: 'count', entries: twoFactorLimits.passkeysMax },
});

export const twoFactorRules: readonly Rule[] = [
  rule(twoFactors, ([account], { totp }, reader) => {
    if (reader.get(logins, [account]) === undefined) return 'is of an account without a login';
    const isNeeded = totp !== undefined || countEntries(reader, passkeys, [account]) > 0;
    return isNeeded ? undefined : 'is of an account with neither an app nor a passkey';
  }),
  rule(passkeys, ([account], _passkey, reader) =>
    reader.get(twoFactors, [account]) === undefined ? 'is of an account without two-factor authentication' : undefined,
  ),
];
