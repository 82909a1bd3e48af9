/**
 * Whether an account may add another one to a collection, as far as known here; the other account decides when asked.
 */

import type { Candidate } from '../../actors/account/collections/collections.messages.ts';
import type { Profile } from '../../actors/account/profile/profile.records.ts';
import { destinationOf } from '../../actors/account/profile/profiles.queries.ts';
import { viewerOf } from '../../actors/account/relationships/viewer.queries.ts';
import { type FeaturePermission, featurePermission, mayFeature } from '../../actors/policy/featuring.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import { knownAccount } from '../accounts/known-account.ts';

type Known = Pick<Services, 'snapshots' | 'now'>;

export function permissionToFeature(
  { snapshots, now }: Known,
  profile: Profile,
  accountId: Id | undefined,
): FeaturePermission {
  return featurePermission(profile, {
    accountId,
    follows: (id) => viewerOf(snapshots, accountId, now()).follows(id),
    isFollowedBy: (id) => accountId !== undefined && viewerOf(snapshots, id, now()).follows(accountId),
  });
}

/** Throws Failure notFound for an unknown account, forbidden for one that does not let the caller feature it. */
export function candidateOf(services: Known, candidateId: Id, accountId: Id): Candidate {
  const { profile } = knownAccount(services, candidateId);
  const isHidden = viewerOf(services.snapshots, accountId, services.now()).blocks(candidateId);
  const mayAsk = profile.suspendedAt === undefined && mayFeature(permissionToFeature(services, profile, accountId));
  if (isHidden || !mayAsk) throw notFeaturable();
  const destination = destinationOf(profile);
  return { accountId: candidateId, ...(destination === undefined ? {} : { destination }) };
}

export function notFeaturable(): Failure {
  return new Failure('forbidden', { text: 'This account cannot be added to collections', reason: 'notFeaturable' });
}
