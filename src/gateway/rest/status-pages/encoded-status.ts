/**
 * A status encoded for every viewer: the JSON text of its entity, cut where the account, the reblogged original and the
 * viewer's marks go. Encoding twenty statuses afresh costs more than everything else of a timeline (measured).
 */
import type { Mention, Visibility } from '../../../actors/account/account.records.ts';
import type { AccountView, StatusView } from '../../../actors/account/statuses.queries.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { Addresses } from '../../addresses.ts';
import { accountEntity } from '../entities/account.ts';
import { statusEntity } from '../entities/status.ts';

export interface EncodedStatus {
  readonly id: Id;
  readonly accountId: Id;
  readonly visibility: Visibility;
  readonly mentions: readonly Mention[];
  readonly reblogOfId: Id | undefined;
  readonly reblogOfAccountId: Id | undefined;
  /** Everything but `account`, `reblog` and what depends on the viewer, beginning and ending with a comma. */
  readonly body: Buffer;
  readonly bytes: number;
}

export interface EncodedAccount {
  /** The entity; undefined for an account that is suspended, whose statuses are not shown. */
  readonly json: Buffer | undefined;
  readonly bytes: number;
}

/** What an entry costs beside its text. */
const entryOverheadBytes = 400;

export function encodeStatus(view: StatusView, addresses: Addresses): EncodedStatus {
  const { account: _account, reblog: _reblog, ...rest } = statusEntity({ ...view, reblog: undefined }, addresses);
  const { status } = view;
  const body = Buffer.from(`,${JSON.stringify(rest).slice(1, -1)},`);
  return {
    id: status.id,
    accountId: status.accountId,
    visibility: status.visibility,
    mentions: status.mentions,
    reblogOfId: status.reblogOfId,
    reblogOfAccountId: status.reblogOfAccountId,
    body,
    bytes: body.length + entryOverheadBytes,
  };
}

export function encodeAccount(view: AccountView | undefined, addresses: Addresses): EncodedAccount {
  if (view === undefined || view.profile.suspendedAt !== undefined)
    return { json: undefined, bytes: entryOverheadBytes };
  const json = Buffer.from(JSON.stringify(accountEntity(view, addresses)));
  return { json, bytes: json.length + entryOverheadBytes };
}
