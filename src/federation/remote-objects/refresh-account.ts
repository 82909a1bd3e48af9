/** Refreshes remote accounts in the background: no request waits for another server. */
import { Account } from '../../actors/account/account.messages.ts';
import type { Profile } from '../../actors/account/profile/profile.records.ts';
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
