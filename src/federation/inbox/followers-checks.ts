/**
 * Compares who of this server follows a remote account with what its server says beside its posts (FEP-8fcf), and has
 * the followers fetched where the two differ.
 */
import { Account } from '../../actors/account/account.messages.ts';
import { storedFollowersOf } from '../../actors/account/relationships/relationships.queries.ts';
import { findProfile } from '../../actors/account/remote/federation.queries.ts';
import type { SignedHeaders } from '../../outbound/signatures/types.ts';
import { traced } from '../../runtime/flow.ts';
import type { Id } from '../../runtime/ids.ts';
import { flowOfHost } from '../../services/services.ts';
import type { Inbound } from '../activities/inbound.ts';
import { followersDigest, readSynchronization, synchronizationHeader } from '../documents/followers-synchronization.ts';
import { isSameHost } from '../documents/values.ts';
import { ignoreFailure } from '../failures.ts';
import { isFollowersOf, type KnownAccount } from '../known-accounts.ts';
import { activityLimits } from '../limits.ts';

interface CheckedRequest {
  readonly headers: SignedHeaders;
  readonly cause?: string | undefined;
}

export class FollowersChecks {
  private readonly inbound: Inbound;
  /** What the servers of accounts said last, and was found to be so. */
  private readonly agreed = new Map<Id, { readonly digest: string; readonly at: number }>();

  constructor(inbound: Inbound) {
    this.inbound = inbound;
  }

  /** `signed`: the headers that the signature covers; others may be anybody's. Settles when the fetch is stored. */
  check(
    { headers, cause }: CheckedRequest,
    signed: readonly string[],
    account: KnownAccount,
  ): undefined | Promise<undefined> {
    const header = headers.get(synchronizationHeader);
    if (header === undefined || !signed.includes(synchronizationHeader)) return undefined;
    const said = readSynchronization(header);
    if (said === undefined || !isFollowersOf(account, said.collectionId) || !isSameHost(said.url, account.uri))
      return undefined;
    if (this.wasAgreed(account.id, said.digest)) return undefined;
    if (this.digestOf(account.id) === said.digest) return this.agree(account.id, said.digest);
    const ageMilliseconds = activityLimits.followersAgeMilliseconds;
    const message = Account.refreshFollowers.to(account.id, { url: said.url, ageMilliseconds });
    // The next post shows the disagreement again.
    return this.inbound.client.call(message, traced(flowOfHost(account.host), cause)).catch(ignoreFailure);
  }

  private wasAgreed(accountId: Id, digest: string): boolean {
    const last = this.agreed.get(accountId);
    const { followersAgreedMilliseconds } = activityLimits;
    return last?.digest === digest && last.at > this.inbound.now() - followersAgreedMilliseconds;
  }

  private agree(accountId: Id, digest: string): undefined {
    this.agreed.delete(accountId);
    this.agreed.set(accountId, { digest, at: this.inbound.now() });
    const [oldest] = this.agreed.keys();
    if (oldest !== undefined && this.agreed.size > activityLimits.followersAgreedMax) this.agreed.delete(oldest);
  }

  /** Those whom its server has not accepted so far wait there, and are not counted. */
  private digestOf(accountId: Id): string {
    const { snapshots, addresses } = this.inbound;
    const uris: string[] = [];
    const part = { from: undefined, limit: activityLimits.followersSynchronizedMax };
    for (const [followerId, { isUnanswered }] of storedFollowersOf(snapshots, accountId, part)) {
      const username = isUnanswered === true ? undefined : findProfile(snapshots, followerId)?.username;
      if (username !== undefined) uris.push(addresses.actor(username));
    }
    return followersDigest(uris);
  }
}
