/** The relationships of the caller with many accounts. */

import {
  findRelationships,
  type RelatedAccount,
  type RelationshipView,
} from '../../actors/account/relationship-views.queries.ts';
import { relationshipLimits } from '../../actors/account/relationships/limits.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import type { PresentedViews } from '../presentation/presented-status.ts';

interface RelationshipsQuery {
  readonly viewerId: Id;
  readonly accountIds: readonly Id[];
  readonly withSuspended: boolean;
}

/**
 * In the order of the ids, of which those beyond a bound are left out. Accounts that are unknown or deleted are left out
 * (specification 4.2), and so are suspended ones unless they are wanted. In slices (see TimeSlices).
 */
export function* relationshipsWithMany(
  { snapshots, presenter }: Pick<Services, 'snapshots'> & { readonly presenter: PresentedViews },
  { viewerId, accountIds, withSuspended }: RelationshipsQuery,
): Generator<undefined, readonly RelationshipView[]> {
  const { relationshipsMax, relationshipsPerSlice } = relationshipLimits;
  const asked = accountIds.slice(0, relationshipsMax);
  const accountOf = (accountId: Id): RelatedAccount | undefined => {
    const account = presenter.accountFacts(accountId);
    if (account === undefined || account.isDeleted || (account.isSuspended && !withSuspended)) return undefined;
    return { accountId, domain: account.domain };
  };
  const found: RelationshipView[] = [];
  for (let index = 0; index < asked.length; index += relationshipsPerSlice) {
    if (index > 0) yield;
    const accounts = asked.slice(index, index + relationshipsPerSlice).flatMap((id) => accountOf(id) ?? []);
    found.push(...findRelationships(snapshots, viewerId, presenter.viewer(viewerId), accounts));
  }
  return found;
}
