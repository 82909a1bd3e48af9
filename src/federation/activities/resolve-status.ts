/** Finds the status that an activity refers to: a remote one by its URI, a local one by any of its addresses. */

import { findProfile, findStatusRecord } from '../../actors/account/remote/federation.queries.ts';
import { statusIdOfUri } from '../../actors/account/statuses/statuses.queries.ts';
import { type Status, threadOf } from '../../actors/account/statuses/statuses.records.ts';
import { announcedIdOf } from '../local-addresses.ts';
import type { Inbound, ResolvedStatus } from './inbound.ts';

/** The status itself, even if it is a reblog; undefined for an unknown one. */
export function findRecord({ addresses, snapshots }: Inbound, uri: string): Status | undefined {
  if (!addresses.isLocal(uri)) {
    const statusId = statusIdOfUri(snapshots, uri);
    return statusId === undefined ? undefined : findStatusRecord(snapshots, statusId);
  }
  const statusId = addresses.statusOf(uri)?.id ?? announcedIdOf(addresses, uri);
  const status = statusId === undefined ? undefined : findStatusRecord(snapshots, statusId);
  // What stays on this server does not exist for others.
  if (status === undefined || status.localOnly === true) return undefined;
  // The user name in the address must be that of the author.
  const named = addresses.statusOf(uri)?.username;
  const author = findProfile(snapshots, status.accountId);
  const isOwn = author?.remote === undefined && author?.username.toLowerCase() === named?.toLowerCase();
  return named === undefined || isOwn ? status : undefined;
}

/** The status that is meant: for a reblog, the original. */
export function resolveStatus(inbound: Inbound, uri: string): ResolvedStatus | undefined {
  const status = findRecord(inbound, uri);
  if (status?.reblogOfId === undefined) return status === undefined ? undefined : resolvedStatus(status);
  const original = findStatusRecord(inbound.snapshots, status.reblogOfId);
  return original === undefined ? undefined : resolvedStatus(original);
}

function resolvedStatus(status: Status): ResolvedStatus {
  return {
    statusId: status.id,
    authorId: status.accountId,
    threadId: threadOf(status),
    isLocal: status.uri === undefined && status.activityUri === undefined,
    visibility: status.visibility,
  };
}
