/** Who signs: from a keyId to the account and its parsed key, as far as both are here. */
import type { KeyObject } from 'node:crypto';
import { Failure } from '../../runtime/errors.ts';
import type { Snapshots } from '../../runtime/storage/snapshots.ts';
import type { AccountResolver } from '../../services/services.ts';
import type { KnownAccount, KnownAccounts } from '../known-accounts.ts';
import { activityLimits } from '../limits.ts';
import { createPublicKeyCache, keyOwnerCandidates } from '../signatures/keys.ts';
import { FetchBudget } from './fetch-budget.ts';

export interface Signer {
  readonly account: KnownAccount;
  readonly publicKey: KeyObject;
}

export interface SignerServices {
  readonly accounts: KnownAccounts;
  readonly snapshots: Snapshots;
  readonly resolver: Pick<AccountResolver, 'findKeyOwner'>;
  now(): number;
}

export class Signers {
  private readonly services: SignerServices;
  private readonly publicKeys = createPublicKeyCache();
  /** Owners of keys whose id does not tell them. */
  private readonly owners = new Map<string, string>();
  private readonly refreshedAt = new Map<string, number>();
  private readonly fetching = new Map<string, Promise<Signer | undefined>>();
  private readonly budget: FetchBudget;

  constructor(services: SignerServices) {
    this.services = services;
    this.budget = new FetchBudget(() => services.now());
  }

  find(keyId: string): Signer | undefined {
    const { accounts } = this.services;
    const fragmentAt = keyId.indexOf('#');
    const usual = fragmentAt < 0 ? undefined : this.signerOf(accounts.find(keyId.slice(0, fragmentAt)), keyId);
    if (usual !== undefined) return usual;
    const owner = this.owners.get(keyId);
    for (const uri of owner === undefined ? keyOwnerCandidates(keyId) : [owner]) {
      const signer = this.signerOf(accounts.find(uri), keyId);
      if (signer !== undefined) return signer;
    }
    return undefined;
  }

  /**
   * Asks the network threads for the key's owner; of a known account that has another key, seldom. `address` is that of
   * the client on whose behalf. Undefined when there is no such key, or when that is already known; throws Failure
   * tooManyRequests when the client has asked too often, rejects with remoteUnreachable when the key's server cannot be
   * asked now.
   */
  fetch(keyId: string, address: string): Promise<Signer | undefined> {
    if (!this.budget.take(address)) throw new Failure('tooManyRequests');
    const running = this.fetching.get(keyId);
    if (running !== undefined) return running;
    const known = keyOwnerCandidates(keyId).find((uri) => this.services.accounts.find(uri) !== undefined);
    if (known !== undefined && !this.mayRefresh(known)) return Promise.resolve(undefined);
    const fetched = this.fetchOnce(keyId, known !== undefined).finally(() => this.fetching.delete(keyId));
    this.fetching.set(keyId, fetched);
    return fetched;
  }

  private async fetchOnce(keyId: string, fresh: boolean): Promise<Signer | undefined> {
    const { accounts, resolver } = this.services;
    const answer = await resolver.findKeyOwner(keyId, fresh);
    if ('failure' in answer) {
      if (answer.failure === 'unreachable') throw new Failure('remoteUnreachable');
      return undefined;
    }
    accounts.forget(answer.accountId);
    if (this.owners.size >= activityLimits.accountsKnownMax) this.owners.clear();
    this.owners.set(keyId, answer.uri);
    return this.find(keyId);
  }

  /** Counts as doing so. */
  private mayRefresh(ownerUri: string): boolean {
    const now = this.services.now();
    const last = this.refreshedAt.get(ownerUri) ?? Number.NEGATIVE_INFINITY;
    if (now - last < activityLimits.keyRefreshMilliseconds) return false;
    if (this.refreshedAt.size >= activityLimits.keyRefreshesMax) this.refreshedAt.clear();
    this.refreshedAt.set(ownerUri, now);
    return true;
  }

  private signerOf(account: KnownAccount | undefined, keyId: string): Signer | undefined {
    if (account?.keyText === undefined || account.keyId !== keyId) return undefined;
    const publicKey = this.publicKeys.get(account.keyText);
    return publicKey === undefined ? undefined : { account, publicKey };
  }
}
