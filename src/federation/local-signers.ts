/**
 * The signer of a request: the acting local account, or the server's own actor. Keys are parsed once; an account
 * without keys gets a pair.
 */
import type { KeyPair } from '../actors/account/profile/profile.records.ts';
import { findProfile } from '../actors/account/remote/federation.queries.ts';
import { instanceSecrets } from '../actors/instance/instance.queries.ts';
import { relayActorId, serverActorId } from '../actors/intents.ts';
import { KeyCache } from '../outbound/signatures/key-cache.ts';
import { createPrivateKeyCache } from '../outbound/signatures/keys.ts';
import { proofKeyOf } from '../outbound/signatures/proof-keys.ts';
import type { RequestSigner } from '../outbound/signatures/types.ts';
import type { Id } from '../runtime/ids.ts';
import type { Reader } from '../runtime/storage/reader.ts';
import type { Addresses } from '../services/addresses.ts';
import type { Services } from '../services/services.ts';
import type { AccountKeys } from './account-keys.ts';
import { instanceKeyId, proofKeyIdOf, relayKeyId } from './local-addresses.ts';

/** A new key has the name of the one before it. */
interface KeyNames {
  readonly keyId: string;
  /** Absent for the server itself. */
  readonly proofKeyId?: string;
}

export class LocalSigners {
  private readonly reader: Reader;
  private readonly addresses: Addresses;
  private readonly keys: Pick<AccountKeys, 'of'>;
  private readonly privateKeys: KeyCache;
  private readonly proofKeys: KeyCache;

  constructor(
    { snapshots, addresses, caches }: Pick<Services, 'snapshots' | 'addresses' | 'caches'>,
    keys: Pick<AccountKeys, 'of'>,
  ) {
    this.reader = snapshots;
    this.addresses = addresses;
    this.keys = keys;
    const bytesMax = Math.floor(caches.bytesMax('privateKeys') / 2);
    const [privateKeys, proofKeys] = [createPrivateKeyCache(bytesMax), new KeyCache(proofKeyOf, bytesMax)];
    this.privateKeys = privateKeys;
    this.proofKeys = proofKeys;
    caches.measure('privateKeys', {
      get bytes() {
        return privateKeys.bytes + proofKeys.bytes;
      },
    });
  }

  /**
   * The signer of a local account: at once when it has keys, undefined when there is no such account. The promise
   * rejects when keys could not be generated. The server's own keys exist since its first request to another server.
   * `activityId`: of an activity, which is signed with the key that its receivers know when it comes in order.
   */
  find(accountId: Id, activityId?: Id): RequestSigner | Promise<RequestSigner> | undefined {
    if (accountId === serverActorId) return this.ofServer(instanceKeyId(this.addresses), activityId);
    if (accountId === relayActorId) return this.ofServer(relayKeyId(this.addresses), activityId);
    const profile = findProfile(this.reader, accountId);
    if (profile === undefined || profile.remote !== undefined) return undefined;
    const keyId = this.addresses.keyId(profile.username);
    const pair = this.keys.of(accountId);
    const proofKeyId = proofKeyIdOf(this.addresses, profile.username);
    const signer = (keys: KeyPair) => this.inForce({ keyId, proofKeyId }, keys, activityId);
    return pair instanceof Promise ? pair.then(signer) : signer(pair);
  }

  /** The relay beside accounts is another actor with the same key. */
  private ofServer(keyId: string, activityId: Id | undefined): RequestSigner | undefined {
    const secrets = instanceSecrets(this.reader);
    return secrets === undefined ? undefined : this.inForce({ keyId }, secrets.keyPair, activityId);
  }

  private inForce(names: KeyNames, keys: KeyPair, activityId: Id | undefined): RequestSigner {
    const { former } = keys;
    const present = this.signer(names, keys);
    if (former === undefined || activityId === undefined || activityId > former.lastActivityId) return present;
    return { ...this.signer(names, former), successor: present };
  }

  private signer({ keyId, proofKeyId }: KeyNames, { privateKeyPem }: Pick<KeyPair, 'privateKeyPem'>): RequestSigner {
    const privateKey = this.privateKeys.get(privateKeyPem);
    if (privateKey === undefined) throw new Error(`the private key of ${keyId} cannot be read`);
    const proofKey = proofKeyId === undefined ? undefined : this.proofKeys.get(privateKeyPem);
    return { keyId, privateKey, proofKey: proofKey && { id: proofKeyId!, privateKey: proofKey } };
  }
}
