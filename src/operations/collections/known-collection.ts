/** The collection that an operation or a page is about, and who may see or change it. */

import { findCollection, type StoredCollection } from '../../actors/account/collections/collections.queries.ts';
import { viewerOf } from '../../actors/account/relationships/viewer.queries.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import type { AccountCaller } from '../caller.ts';
import type { OperationContext } from '../operation.ts';
import { findShownCollection, type ShownCollection } from '../presentation/collections.ts';

type Known = Pick<Services, 'snapshots' | 'now'>;

/** Throws Failure notFound, and forbidden for a collection whose curator and viewer are separated by a block. */
export function shownCollection(
  { snapshots, now }: Known,
  collectionId: Id,
  viewerId: Id | undefined,
): ShownCollection {
  const viewer = viewerOf(snapshots, viewerId, now());
  const shown = findShownCollection(snapshots, collectionId, viewer);
  if (shown === undefined) throw new Failure('notFound');
  if (viewer.blocks(shown.collection.accountId)) throw new Failure('forbidden');
  return shown;
}

/** For `on`: the caller's. Throws Failure notFound, and forbidden for another account's. */
export function onOwnCollection(
  { caller, services }: OperationContext<AccountCaller>,
  { collectionId }: { collectionId: Id },
): StoredCollection {
  const collection = findCollection(services.snapshots, collectionId);
  if (collection === undefined) throw new Failure('notFound');
  if (collection.accountId !== caller.accountId) throw new Failure('forbidden');
  return collection;
}
