/** Finding statuses by what activities call them: the URI of a remote one, any address of a local one. */

import { findProfile, findStatusRecord } from '../../actors/account/remote/federation.queries.ts';
import { statusIdOfUri } from '../../actors/account/statuses/statuses.queries.ts';
import type { Status } from '../../actors/account/statuses/statuses.records.ts';
import { announcedIdOf } from '../local-addresses.ts';
import type { Inbound, StatusPlace } from './inbound.ts';

/** The status itself, be it a reblog; undefined for one that is not here. */
export function findRecord({ addresses, snapshots }: Inbound, uri: string): Status | undefined {
  if (!addresses.isLocal(uri)) {
    const statusId = statusIdOfUri(snapshots, uri);
    return statusId === undefined ? undefined : findStatusRecord(snapshots, statusId);
  }
  const statusId = addresses.statusOf(uri)?.id ?? announcedIdOf(addresses, uri);
  const status = statusId === undefined ? undefined : findStatusRecord(snapshots, statusId);
  if (status === undefined) return undefined;
  // An address with another author's name in it is nobody's.
  const named = addresses.statusOf(uri)?.username;
  const author = findProfile(snapshots, status.accountId);
  const isOwn = author?.remote === undefined && author?.username.toLowerCase() === named?.toLowerCase();
  return named === undefined || isOwn ? status : undefined;
}

/** The status that is meant: of a reblog, the original. */
export function findPlace(inbound: Inbound, uri: string): StatusPlace | undefined {
  const status = findRecord(inbound, uri);
  if (status?.reblogOfId === undefined) return status === undefined ? undefined : placeOf(status);
  const original = findStatusRecord(inbound.snapshots, status.reblogOfId);
  return original === undefined ? undefined : placeOf(original);
}

export function placeOf(status: Status): StatusPlace {
  return {
    statusId: status.id,
    authorId: status.accountId,
    isLocal: status.uri === undefined && status.activityUri === undefined,
    visibility: status.visibility,
  };
}
