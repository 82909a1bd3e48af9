/** From a keyId to the account that signs and its parsed key. */
import type { KeyObject } from 'node:crypto';
import type { KeyCache } from '../../outbound/signatures/key-cache.ts';
import { createPublicKeyCache, keyOwnerCandidates } from '../../outbound/signatures/keys.ts';
import type { RequestSignature, SignedRequest } from '../../outbound/signatures/types.ts';
import { verifyRequest } from '../../outbound/signatures/verify-request.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Snapshots } from '../../runtime/storage/snapshots.ts';
import type { Caches } from '../../services/caches.ts';
import type { RemoteResolver } from '../../services/services.ts';
import { hostOf } from '../documents/values.ts';
import { onlyUnreachable } from '../failures.ts';
import { type KnownAccount, type KnownAccounts, keyTextOf } from '../known-accounts.ts';
import { activityLimits } from '../limits.ts';
import { KeyFetchBudget } from './key-fetch-budget.ts';
import { KeyRefreshes } from './key-refreshes.ts';

export interface Signer {
  readonly account: KnownAccount;
  readonly publicKey: KeyObject;
}

interface Unproved {
  readonly signature: RequestSignature;
  readonly address: string;
  /** The traced request that was signed. */
  readonly cause?: string | undefined;
}

export interface SignerServices {
  readonly accounts: KnownAccounts;
  readonly snapshots: Snapshots;
  readonly caches: Caches;
  readonly resolver: Pick<RemoteResolver, 'findKeyOwner'>;
  monotonic(): number;
}

export class Signers {
  private readonly services: SignerServices;
  private readonly publicKeys: KeyCache;
  /** Owners of keys whose owner is not evident from the key's id. */
  private readonly owners = new Map<string, string>();
  private readonly fetching = new Map<string, Promise<Signer | undefined>>();
  private readonly budget: KeyFetchBudget;
  private readonly refreshes: KeyRefreshes;

  constructor(services: SignerServices) {
    this.services = services;
    this.publicKeys = createPublicKeyCache(services.caches.bytesMax('publicKeys'));
    services.caches.measure('publicKeys', this.publicKeys);
    this.budget = new KeyFetchBudget(() => services.monotonic());
    this.refreshes = new KeyRefreshes(() => services.monotonic());
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
   * The signer of a request whose key is unknown, or known and not matching. `address` is that of the client. Throws
   * Failure tooManyRequests when the host or the address has used up its share, signatureInvalid when there is no such
   * key or it does not match, remoteUnreachable when the key's server cannot be asked now.
   */
  async prove(request: SignedRequest, { signature, address, cause }: Unproved): Promise<Signer> {
    const { keyId } = signature;
    const host = hostOf(keyId) ?? '';
    if (!this.budget.take(host, address)) throw new Failure('tooManyRequests');
    const signer = await this.fetch(keyId, cause);
    const verification = signer === undefined ? undefined : verifyRequest(request, signature, signer.publicKey);
    if (signer !== undefined && verification?.ok === true) {
      this.budget.fitted(host);
      return signer;
    }
    this.budget.failed(address);
    throw new Failure('signatureInvalid', { cause: verification?.ok === false ? verification.refusal : 'no such key' });
  }

  /**
   * The owner of a key by which a document was signed; fetched where it is unknown. Undefined where there is no such key, or
   * its server cannot be asked now. Throws Failure tooManyRequests like `prove`.
   */
  async ofKey(keyId: string, { address, cause }: Pick<Unproved, 'address' | 'cause'>): Promise<Signer | undefined> {
    const known = this.find(keyId);
    if (known !== undefined) return known;
    const host = hostOf(keyId) ?? '';
    if (!this.budget.take(host, address)) throw new Failure('tooManyRequests');
    const signer = await this.fetch(keyId, cause).catch(onlyUnreachable);
    if (signer !== undefined) this.budget.fitted(host);
    return signer;
  }

  /** Asks the network threads for the key's owner; for a known account with another key only within the limit. */
  private fetch(keyId: string, cause: string | undefined): Promise<Signer | undefined> {
    const running = this.fetching.get(keyId);
    if (running !== undefined) return running;
    const known = keyOwnerCandidates(keyId).find((uri) => this.services.accounts.find(uri) !== undefined);
    if (known !== undefined && !this.refreshes.take(known)) return Promise.resolve(undefined);
    const fetched = this.fetchOnce(keyId, known !== undefined, cause).finally(() => this.fetching.delete(keyId));
    this.fetching.set(keyId, fetched);
    return fetched;
  }

  private async fetchOnce(keyId: string, fresh: boolean, cause: string | undefined): Promise<Signer | undefined> {
    const { accounts, resolver } = this.services;
    const answer = await resolver.findKeyOwner(keyId, fresh, cause);
    if ('failure' in answer) {
      if (answer.failure === 'unreachable') throw new Failure('remoteUnreachable');
      return undefined;
    }
    accounts.forget(answer.accountId);
    if (this.owners.size >= activityLimits.keyOwnersMax) this.owners.clear();
    this.owners.set(keyId, answer.uri);
    return this.find(keyId);
  }

  private signerOf(account: KnownAccount | undefined, keyId: string): Signer | undefined {
    const keyText = account && keyTextOf(account, keyId);
    if (account === undefined || keyText === undefined) return undefined;
    const publicKey = this.publicKeys.get(keyText);
    return publicKey === undefined ? undefined : { account, publicKey };
  }
}
