/**
 * Refreshes remote data in the background: no request waits for another server. The actor concerned makes sure that
 * this happens once, however many people view the account or the poll.
 */

import { Account } from '../../actors/account/account.messages.ts';
import { pollLimits } from '../../actors/account/polls/limits.ts';
import type { Profile } from '../../actors/account/profile/profile.records.ts';
import { findProfile } from '../../actors/account/remote/federation.queries.ts';
import type { StatusView } from '../../actors/account/status-views.queries.ts';
import type { Status } from '../../actors/account/statuses/statuses.records.ts';
import { isVerifiable } from '../../actors/policy/quotes.ts';
import { isSuspendedHere } from '../../actors/policy/suspension.ts';
import type { Envelope } from '../../runtime/contract.ts';
import { Failure, isTemporary } from '../../runtime/errors.ts';
import { traced } from '../../runtime/flow.ts';
import type { Id } from '../../runtime/ids.ts';
import { flowOfHost, type Services } from '../../services/services.ts';
import { activityLimits } from '../limits.ts';

/** Who views the data: `cause` is the id of the request, where requests are traced. */
interface Viewed {
  readonly cause?: string | undefined;
}

type RefreshServices = Pick<Services, 'now' | 'report'> & { readonly client: Pick<Services['client'], 'call'> };

/** A remote account whose data is older than `ageMilliseconds`. */
export function refreshWhenOld(
  services: RefreshServices,
  profile: Profile,
  { ageMilliseconds = activityLimits.profileAgeMilliseconds, cause }: { ageMilliseconds?: number } & Viewed = {},
): void {
  const { id, domain, fetchedAt = 0, refreshAskedAt = 0 } = profile;
  if (domain === undefined || isSuspendedHere(profile)) return;
  if (Math.max(fetchedAt, refreshAskedAt) > services.now() - ageMilliseconds) return;
  callInBackground(services, Account.refresh.to(id, { ageMilliseconds }), { domain, cause });
}

/**
 * The pins and featured tags of a remote account, and whether it hides its lists: not every server announces their
 * changes.
 */
export function refreshPinsWhenOld(
  services: RefreshServices & Pick<Services, 'snapshots'>,
  accountId: Id,
  { cause }: Viewed,
): void {
  const { profileAgeMilliseconds: ageMilliseconds } = activityLimits;
  const profile = findProfile(services.snapshots, accountId);
  if (profile?.domain === undefined || profile.suspendedAt !== undefined) return;
  if ((profile.remote?.featured ?? profile.remote?.featuredTags) === undefined) return;
  if ((profile.pinsAskedAt ?? 0) > services.now() - ageMilliseconds) return;
  callInBackground(services, Account.refreshPins.to(accountId, { ageMilliseconds }), { domain: profile.domain, cause });
}

/** The collections of accounts that a remote account shows. */
export function refreshCollectionsWhenOld(
  services: RefreshServices & Pick<Services, 'snapshots'>,
  accountId: Id,
  { cause }: Viewed,
): void {
  const { profileAgeMilliseconds: ageMilliseconds } = activityLimits;
  const profile = findProfile(services.snapshots, accountId);
  if (profile?.domain === undefined || profile.suspendedAt !== undefined) return;
  if (profile.remote?.featuredCollections === undefined) return;
  if ((profile.collectionsAskedAt ?? 0) > services.now() - ageMilliseconds) return;
  const message = Account.refreshCollections.to(accountId, { ageMilliseconds });
  callInBackground(services, message, { domain: profile.domain, cause });
}

/** The totals of a remote poll: until it has ended, and once after that. */
export function refreshPollWhenOld(
  services: RefreshServices,
  { status, author, tally }: StatusView,
  { cause }: Viewed,
): void {
  const { domain } = author.profile;
  const { refreshMilliseconds: ageMilliseconds } = pollLimits;
  if (domain === undefined || tally === undefined) return;
  const { refreshedAt = 0, isClosed } = tally;
  if (refreshedAt > services.now() - ageMilliseconds) return;
  if (isClosed && refreshedAt > (status.poll?.expiresAt ?? 0)) return;
  const message = Account.refreshPoll.to(status.accountId, { statusId: status.id, ageMilliseconds });
  callInBackground(services, message, { domain, cause });
}

/** Whether the quoted author's server still authorises the quote (FEP-044f); as often as Mastodon does. */
export function refreshQuoteWhenOld(services: RefreshServices, status: Status, { cause }: Viewed): void {
  const { quoteAgeMilliseconds: ageMilliseconds } = activityLimits;
  if (!isVerifiable(status, services.now() - ageMilliseconds)) return;
  const message = Account.verifyQuote.to(status.accountId, { quoteId: status.id, ageMilliseconds });
  callInBackground(services, message, { domain: new URL(status.quote!.authorizationUri!).host, cause });
}

/** The next view asks again, so a failure because of load, or of a deleted account, needs no report. */
function callInBackground(
  { client, report }: RefreshServices,
  message: Envelope<unknown>,
  { domain, cause }: { readonly domain: string } & Viewed,
): void {
  client.call(message, traced(flowOfHost(domain), cause)).catch((error: unknown) => {
    const isGone = error instanceof Failure && error.code === 'notFound';
    if (!isGone && !isTemporary(error))
      report({ level: 'error', message: `an object of ${domain} could not be refreshed`, error });
  });
}
