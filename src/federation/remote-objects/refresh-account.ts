/** Refreshes remote accounts, and what they have pinned, in the background: no request waits for another server. */
import { Account } from '../../actors/account/account.messages.ts';
import type { Profile } from '../../actors/account/profile/profile.records.ts';
import { findProfile } from '../../actors/account/remote/federation.queries.ts';
import type { Id } from '../../runtime/ids.ts';
import { flowOfHost, type Services } from '../../services/services.ts';
import { activityLimits } from '../limits.ts';

type RefreshServices = Pick<Services, 'now'> & { readonly client: Pick<Services['client'], 'call'> };

/**
 * Has a remote account asked for again at its server, when what is known of it is older than `ageMilliseconds`. The
 * account itself sees to it that this happens once, however many look at it.
 */
export function refreshWhenOld(
  { client, now }: RefreshServices,
  profile: Profile,
  ageMilliseconds: number = activityLimits.profileAgeMilliseconds,
): void {
  const { id, domain, suspendedAt, fetchedAt = 0, refreshAskedAt = 0 } = profile;
  if (domain === undefined || suspendedAt !== undefined) return;
  if (Math.max(fetchedAt, refreshAskedAt) > now() - ageMilliseconds) return;
  // Whoever comes next tries again.
  client.call(Account.refresh.to(id, { ageMilliseconds }), flowOfHost(domain)).catch(() => undefined);
}

/** The same for what a remote account has pinned, and the tags that it features: not every server tells when that changes. */
export function refreshPinsWhenOld(
  { client, now, snapshots }: RefreshServices & Pick<Services, 'snapshots'>,
  accountId: Id,
): void {
  const { profileAgeMilliseconds: ageMilliseconds } = activityLimits;
  const profile = findProfile(snapshots, accountId);
  if (profile?.domain === undefined || profile.suspendedAt !== undefined) return;
  if ((profile.remote?.featured ?? profile.remote?.featuredTags) === undefined) return;
  if ((profile.pinsAskedAt ?? 0) > now() - ageMilliseconds) return;
  client
    .call(Account.refreshPins.to(accountId, { ageMilliseconds }), flowOfHost(profile.domain))
    .catch(() => undefined);
}
