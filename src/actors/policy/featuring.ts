/**
 * Who may add an account to a collection (FEP-7aa9; behaviour of the Mastodon API: by `discoverable`). Pure; blocks are
 * checked separately.
 */
import type { Approval } from '../account/account.records.ts';
import type { Profile } from '../account/profile/profile.records.ts';
import { type Asker, asksForFollow, type Permission, permissionBy } from './approval.ts';

/** `missing`: the account's server does not know collections, which is no consent. */
export type FeaturePermission = Permission | 'missing';

type Featured = Pick<Profile, 'id' | 'remote' | 'discoverable' | 'locked' | 'featureApproval' | 'movedTo'>;

const byNobody: Approval = { automatic: [], manual: [] };
const byFollowers: Approval = { automatic: ['followers'], manual: [] };
const byEverybody: Approval = { automatic: ['public'], manual: [] };

/**
 * Undefined where the account has no policy. A local account's policy follows from whether it wants to be found and
 * whom it lets follow it. An account that has moved is no longer recommended, and can no longer be followed either.
 */
export function featureApprovalOf(profile: Featured): Approval | undefined {
  const { remote, discoverable, locked, featureApproval, movedTo } = profile;
  if (movedTo !== undefined) return byNobody;
  if (remote !== undefined) return featureApproval;
  if (discoverable !== true) return byNobody;
  return locked ? byFollowers : byEverybody;
}

export function featurePermission(profile: Featured, asker: Asker): FeaturePermission {
  if (asker.accountId === undefined) return 'denied';
  const approval = featureApprovalOf(profile);
  return approval === undefined ? 'missing' : permissionBy(approval, profile.id, asker);
}

export function mayFeature(permission: FeaturePermission): boolean {
  return permission === 'automatic' || permission === 'manual';
}

/** Who may feature an account, as far as that is the same for many viewers. */
export interface Featurability {
  readonly approval: Approval;
  /** A signed-in account that neither follows nor is followed. */
  readonly stranger: FeaturePermission;
  readonly asksForFollow: boolean;
}

/** No account has this id. */
const stranger: Asker = { accountId: 0n, follows: () => false, isFollowedBy: () => false };

export function featurabilityOf(profile: Featured): Featurability {
  const approval = featureApprovalOf(profile) ?? byNobody;
  return { approval, stranger: featurePermission(profile, stranger), asksForFollow: asksForFollow(approval) };
}

/** The same as `featurePermission`, by what is the same for many viewers. */
export function permissionAmong(
  { approval, stranger: usual, asksForFollow: asks }: Featurability,
  ownerId: bigint,
  asker: Asker,
): FeaturePermission {
  if (asker.accountId === undefined) return 'denied';
  if (usual === 'missing') return usual;
  return asks || asker.accountId === ownerId ? permissionBy(approval, ownerId, asker) : usual;
}
