/**
 * The key pairs of local accounts: generated when first needed, on the native thread pool. The account keeps the first
 * pair that it is given.
 */
import { Account } from '../actors/account/account.messages.ts';
import type { KeyPair } from '../actors/account/profile/profile.records.ts';
import { findKeyPair } from '../actors/account/remote/federation.queries.ts';
import { generateRsaKeyPair } from '../outbound/signatures/keys.ts';
import type { Id } from '../runtime/ids.ts';
import type { Services } from '../services/services.ts';

type KeyServices = Pick<Services, 'snapshots' | 'now'> & { readonly client: Pick<Services['client'], 'call'> };

export class AccountKeys {
  private readonly services: KeyServices;
  private readonly making = new Map<Id, Promise<KeyPair>>();

  constructor(services: KeyServices) {
    this.services = services;
  }

  /**
   * The pair in force: at once when the account has one, else as a promise, which rejects with Failure notFound for an
   * account that is not local.
   */
  of(accountId: Id): KeyPair | Promise<KeyPair> {
    return findKeyPair(this.services.snapshots, accountId) ?? this.make(accountId);
  }

  private make(accountId: Id): Promise<KeyPair> {
    const running = this.making.get(accountId);
    if (running !== undefined) return running;
    const made = this.makeOnce(accountId).finally(() => this.making.delete(accountId));
    this.making.set(accountId, made);
    return made;
  }

  private async makeOnce(accountId: Id): Promise<KeyPair> {
    const { client, now } = this.services;
    const offered = { ...(await generateRsaKeyPair()), createdAt: now() };
    return client.call(Account.setKeysIfAbsent.to(accountId, offered), 'system');
  }
}
