/** The keyspaces of pinned statuses, by the time of the pin and by status. */

import { record } from '../../../runtime/codec.ts';
import { id, keyspace } from '../../../runtime/storage/keyspace.ts';
import { counterparts, type Rule, rule } from '../../../runtime/storage/rules.ts';
import { owner, Reference } from '../account.state.ts';
import { statuses } from '../statuses/statuses.state.ts';
import { pinLimits } from './limits.ts';

/** The reference is to the status. */
export const pins = keyspace<[bigint, bigint], Reference>({
  number: 61,
  name: 'pins',
  owner,
  key: [id('account'), id('pin')],
  value: record(Reference),
  bound: { by: 'count', entries: pinLimits.perRemoteAccountMax },
});

export const pinOf = keyspace<[bigint, bigint], Reference>({
  number: 62,
  name: 'pin by status',
  owner,
  derived: true,
  key: [id('account'), id('status')],
  value: record(Reference),
  bound: { by: 'count', entries: pinLimits.perRemoteAccountMax },
});

export const pinRules: readonly Rule[] = [
  ...counterparts(
    pins,
    ([account], { id: status }) => [account, status],
    pinOf,
    ([account], { id: pin }) => [account, pin],
  ),
  rule(pinOf, ([account, status], _pin, reader) =>
    reader.get(statuses, [status])?.accountId === account ? undefined : 'is of a status that the account has not',
  ),
];
