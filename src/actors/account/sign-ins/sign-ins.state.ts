/** The keyspaces of sign-ins: what happened, which addresses were used, and who used an address. */
import { present, record } from '../../../runtime/codec.ts';
import { id, keyspace, position } from '../../../runtime/storage/keyspace.ts';
import { awaits, counterparts, type Rule } from '../../../runtime/storage/rules.ts';
import { Account } from '../account.messages.ts';
import { owner } from '../account.state.ts';
import { signInLimits } from './limits.ts';
import { FormerEmail, SignIn, UsedAddress } from './sign-ins.records.ts';

export const signIns = keyspace<[bigint, bigint], SignIn>({
  number: 226,
  name: 'sign-ins',
  owner,
  sparse: true,
  absentIfDamaged: true,
  key: [id('account'), id('sign-in')],
  value: record(SignIn),
  bound: { by: 'count', entries: signInLimits.signInsMax + signInLimits.failedSignInsMax },
});

/** The two halves of an address: `keyOfAddress`. */
const address = [position('first half'), position('second half')] as const;

export const usedAddresses = keyspace<[bigint, bigint, bigint], UsedAddress>({
  number: 227,
  name: 'used addresses',
  owner,
  sparse: true,
  absentIfDamaged: true,
  key: [id('account'), ...address],
  value: record(UsedAddress),
  bound: { by: 'count', entries: signInLimits.addressesMax },
});

/** The same by address: whoever used one, or one of a range of them, is found without looking at accounts. */
export const accountsOfAddresses = keyspace<[bigint, bigint, bigint], true>({
  number: 249,
  name: 'accounts of addresses',
  owner,
  partitionWide: true,
  derived: true,
  absentIfDamaged: true,
  key: [...address, id('account')],
  value: present,
  bound: { by: 'owner', reason: 'some addresses of each local account' },
});

export const formerEmails = keyspace<[bigint, bigint], FormerEmail>({
  number: 57,
  name: 'former e-mail addresses',
  owner,
  sparse: true,
  absentIfDamaged: true,
  key: [id('account'), id('change')],
  value: record(FormerEmail),
  bound: { by: 'count', entries: signInLimits.formerEmailsMax },
});

export const signInRules: readonly Rule[] = [
  ...counterparts(
    usedAddresses,
    ([account, ...parts]) => [...parts, account],
    accountsOfAddresses,
    ([first, second, account]) => [account, first, second],
  ),
  awaits(signIns, [Account.forgetSignIns]),
  awaits(usedAddresses, [Account.forgetSignIns]),
  awaits(formerEmails, [Account.forgetSignIns]),
];
