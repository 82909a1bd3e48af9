/** Finds the object of an ActivityPub path. Failures reveal no more than an anonymous visitor may know. */

import type { Profile } from '../../actors/account/profile/profile.records.ts';
import { type AccountView, findPublicAccount, isRemovedHere } from '../../actors/account/profile/profiles.queries.ts';
import { findStatusRecord, isDeletedStatus } from '../../actors/account/remote/federation.queries.ts';
import type { Status } from '../../actors/account/statuses/statuses.records.ts';
import { nameOfHandle } from '../../actors/directory/directory.messages.ts';
import { accountIdOfName } from '../../actors/directory/directory.queries.ts';
import { Failure } from '../../runtime/errors.ts';
import { parseId } from '../../runtime/ids.ts';
import type { Reader } from '../../runtime/storage/reader.ts';

/**
 * A local account. Throws notFound for an unknown name, forbidden for a suspended account: it may come back, and other
 * servers delete what is gone (docs/decisions/0039).
 */
export function localAccount(reader: Reader, username: string | undefined): AccountView {
  const account = localActor(reader, username);
  if (account.profile.suspendedAt !== undefined) throw new Failure('forbidden');
  return account;
}

/** The same, including suspended accounts. Throws gone for one that was removed. */
export function localActor(reader: Reader, username: string | undefined): AccountView {
  const accountId = username === undefined ? undefined : accountIdOfName(reader, nameOfHandle(username, undefined));
  if (accountId !== undefined && isRemovedHere(reader, accountId)) throw new Failure('gone');
  const account = accountId === undefined ? undefined : findPublicAccount(reader, accountId);
  if (account === undefined || account.profile.remote !== undefined) throw new Failure('notFound');
  return account;
}

/**
 * A status of a local account, regardless of visibility, unless it stays on this server. Throws notFound, and gone for a
 * deleted one that was for everybody.
 */
export function localStatus(reader: Reader, profile: Profile, idText: string | undefined): Status {
  const statusId = idText === undefined ? undefined : parseId(idText);
  if (statusId === undefined) throw new Failure('notFound');
  const status = findStatusRecord(reader, statusId);
  if (status?.accountId === profile.id && status.localOnly !== true) return status;
  throw new Failure(status === undefined && isDeletedStatus(reader, statusId) ? 'gone' : 'notFound');
}
