/**
 * Fetches and stores remote accounts, by handle, URI or key. An account is fetched once at a time, whoever asks; the
 * fetcher remembers recent failures.
 */
import { Account } from '../../actors/account/account.messages.ts';
import { Directory } from '../../actors/directory/directory.messages.ts';
import { type FetchFailure, fetchFailure } from '../../outbound/fetcher/fetch-result.ts';
import type { Fetcher } from '../../outbound/fetcher/fetcher.ts';
import type { JsonObject } from '../../outbound/fetcher/json.ts';
import { dialectsOf } from '../../outbound/signatures/dialects.ts';
import { keyOwnerCandidates } from '../../outbound/signatures/keys.ts';
import { traced } from '../../runtime/flow.ts';
import { domainPolicy } from '../../services/domain-policy.ts';
import type { NetworkServices } from '../../services/network-services.ts';
import { flowOfHost } from '../../services/services.ts';
import { isMoveUnshown, showMove } from '../activities/moves.ts';
import { profileOf } from '../activities/profile.ts';
import { keyAddressOf, type RemoteActor, readActor, readKeyOwner } from '../documents/read-actor.ts';
import { hostOf, isSameHost } from '../documents/values.ts';
import { ignoreFailure, mayPass } from '../failures.ts';
import { type DocumentResult, fetchActivityDocument, isSameDocument } from '../fetch-activity-document.ts';
import { type KnownAccount, type KnownAccounts, keyTextOf } from '../known-accounts.ts';
import { activityLimits } from '../limits.ts';
import { type Handle, parseHandle } from '../webfinger/handle.ts';
import {
  claimedHandle,
  confirmActorHandle,
  type HandleResult,
  type ResolvedHandle,
  resolveHandle,
} from '../webfinger/webfinger-client.ts';
import type { SignerOf } from './fetch-signers.ts';

export type RemoteServices = Pick<
  NetworkServices,
  'addresses' | 'snapshots' | 'cleanHtml' | 'options' | 'events' | 'members' | 'now' | 'monotonic' | 'report'
> & {
  readonly client: Pick<NetworkServices['client'], 'call'>;
};

export type AccountResult = { readonly ok: true; readonly account: KnownAccount } | FetchFailure;

interface LearnOptions {
  /** The result of WebFinger, where it was just asked. */
  readonly resolved?: ResolvedHandle | undefined;
  /** The key for which the account is fetched. */
  readonly keyId?: string | undefined;
  readonly fresh?: boolean | undefined;
  /** It is named by an account that has moved: the account that it names itself is of no interest. */
  readonly isTarget?: boolean | undefined;
  /** The traced request that needs the account. */
  readonly cause?: string | undefined;
}

export class RemoteAccounts {
  private readonly services: RemoteServices;
  private readonly fetcher: Fetcher;
  private readonly accounts: KnownAccounts;
  private readonly signer: SignerOf;
  private readonly learning = new Map<string, Promise<AccountResult>>();

  constructor(services: RemoteServices, fetcher: Fetcher, accounts: KnownAccounts, signer: SignerOf) {
    this.services = services;
    this.fetcher = fetcher;
    this.accounts = accounts;
    this.signer = signer;
  }

  /** The account of a handle, known or fetched. */
  async byHandle(text: string, cause?: string): Promise<AccountResult> {
    const handle = parseHandle(text);
    if (handle === undefined) return fetchFailure('invalid', 'not a handle');
    const known = this.accounts.ofHandle(handle.username, handle.host);
    if (known !== undefined) return { ok: true, account: known };
    const resolved = await this.resolve(handle);
    return resolved.ok ? this.learn(resolved.actorUrl, { resolved, cause }) : resolved;
  }

  /** The account of an actor's URI: fetched even if it is known. */
  byUri(uri: string, fresh = false, cause?: string): Promise<AccountResult> {
    return this.learn(uri, { fresh, cause });
  }

  /** The account with this key. */
  async byKey(keyId: string, fresh: boolean, cause?: string): Promise<AccountResult> {
    const url = keyOwnerCandidates(keyId).at(-1);
    if (url === undefined) return fetchFailure('invalid', 'the keyId is no address');
    const result = await this.learn(url, { keyId, fresh, cause });
    if (!result.ok) return result;
    const isOwn = keyTextOf(result.account, keyId) !== undefined && isSameHost(keyId, result.account.uri);
    return isOwn ? result : fetchFailure('invalid', 'the actor has another key');
  }

  private learn(url: string, options: LearnOptions): Promise<AccountResult> {
    // Accounts that name each other would wait for each other; those fetched as targets wait for none.
    const key = `${options.keyId ?? ''} ${options.isTarget ?? false} ${url}`;
    const running = this.learning.get(key);
    if (running !== undefined) return running;
    const learned = this.learnOnce(url, options).finally(() => this.learning.delete(key));
    this.learning.set(key, learned);
    return learned;
  }

  /** Fetches a known account again; never rejects. */
  async refresh(uri: string, cause?: string): Promise<void> {
    try {
      await this.learn(uri, { fresh: true, cause });
    } catch (error) {
      // Overloaded at the moment: the account is fetched again another time.
      if (!mayPass(error)) this.services.report({ level: 'error', message: `${uri} could not be refreshed`, error });
    }
  }

  private async learnOnce(url: string, options: LearnOptions): Promise<AccountResult> {
    const fetched = await this.fetch(url, options);
    if (!fetched.ok) return fetched;
    const owner = readKeyOwner(fetched.document);
    // A key document: its owner must list the key, which `byKey` checks.
    if (owner === undefined || owner === fetched.id) return this.store(fetched.document, options);
    const actor = await this.fetch(owner, options);
    return actor.ok ? this.store(actor.document, options) : actor;
  }

  private async fetch(url: string, { fresh = false, keyId, cause }: LearnOptions): Promise<DocumentResult> {
    const { actorBytesMax: bytesMax } = activityLimits;
    const signer = await this.signer();
    // A request that was signed with the key waits.
    const patienceMilliseconds = keyId === undefined ? undefined : activityLimits.keyPatienceMilliseconds;
    const request = { url, signer, bytesMax, fresh, patienceMilliseconds };
    const fetched = await fetchActivityDocument(this.fetcher, request);
    if (!fetched.ok && fetched.kind === 'gone') await this.takeOut(url, cause);
    return fetched;
  }

  /** The server of a known account answers 410, which counts as its Delete. */
  private async takeOut(url: string, cause: string | undefined): Promise<void> {
    const known = this.accounts.find(url.replace(/#.*$/, ''));
    if (known === undefined || known.isLocal || (known.isSuspended && !known.isSuspendedByOrigin)) return;
    const deleted = Account.remoteAccountDeleted.to(known.id, {});
    await this.services.client.call(deleted, traced(flowOfHost(known.host), cause));
  }

  private async store(document: JsonObject, options: LearnOptions): Promise<AccountResult> {
    const { resolved, keyId, cause } = options;
    const actor = readActor(document) ?? (await this.withKey(document, options));
    if (actor === undefined) return fetchFailure('invalid', 'not an actor that can be used');
    const confirmed = await this.confirm(actor, resolved);
    if (!confirmed.ok) return confirmed;
    const { cleanHtml, client, now } = this.services;
    const treatment = domainPolicy(this.services).ofAccount(confirmed.handle.host, hostOf(actor.uri));
    if (treatment.severity === 'suspend') return fetchFailure('blocked', `${confirmed.handle.host} is suspended`);
    // The first of several keys is the one that signed.
    const namesKey = keyId !== undefined && keyId !== actor.uri;
    const before = this.accounts.find(actor.uri);
    const keptKeyId = namesKey ? keyId : before?.keyId;
    if (actor.signsMessages) dialectsOf(this.services).shown(confirmed.handle.host);
    const shown = await profileOf(cleanHtml, actor, confirmed.handle, now(), keptKeyId);
    const profile = treatment.severity === 'silence' ? { ...shown, ...silenced } : shown;
    const { accountId } = await client.call(
      Directory.learn.to(actor.uri, { profile }),
      traced(flowOfHost(confirmed.handle.host), cause),
    );
    this.accounts.forget(accountId);
    const account = this.accounts.find(actor.uri);
    if (account === undefined) return fetchFailure('invalid', 'the account is gone again');
    await this.showMove(account, actor, options);
    if (before !== undefined && hasOtherKeys(before, actor)) await this.followAgain(account, cause);
    return { ok: true, account };
  }

  /** As far as its server remembers nothing, nobody here follows it any more (behaviour of Mastodon). */
  private async followAgain({ id, host }: KnownAccount, cause: string | undefined): Promise<void> {
    const message = Account.followAgain.to(id, {});
    await this.services.client.call(message, traced(flowOfHost(host), cause)).catch(ignoreFailure);
  }

  /** Not while a request waits to be verified with its key. */
  private async showMove(
    account: KnownAccount,
    { movedTo: uri }: RemoteActor,
    { keyId, isTarget = false, cause }: LearnOptions,
  ): Promise<void> {
    const services = { ...this.services, accounts: this.accounts };
    if (uri === undefined || keyId !== undefined || isTarget || !isMoveUnshown(services, account, uri)) return;
    const fetch = async () => {
      const target = await this.learn(uri, { fresh: true, isTarget: true, cause });
      return target.ok ? target.account : undefined;
    };
    await showMove(services, account, { uri, fetch, cause }).catch(ignoreFailure);
  }

  /** An actor who shows the address of its key alone. */
  private async withKey(document: JsonObject, { cause }: LearnOptions): Promise<RemoteActor | undefined> {
    const address = keyAddressOf(document);
    if (address === undefined) return undefined;
    const key = await this.fetch(address, { cause });
    return key.ok ? readActor({ ...document, publicKey: key.document }) : undefined;
  }

  /** The handle of an actor: as known, as just resolved, or as its server confirms now. */
  private async confirm(actor: RemoteActor, resolved: ResolvedHandle | undefined): Promise<HandleResult> {
    const identity = { id: actor.uri, preferredUsername: actor.username, webfinger: actor.webfinger };
    const claimed = claimedHandle(identity);
    if (claimed === undefined) return fetchFailure('invalid', 'the actor claims no usable handle');
    const sure: HandleResult = { ok: true, handle: claimed, actorUrl: actor.uri };
    const known = this.accounts.find(actor.uri);
    if (known !== undefined && isSame(known, claimed)) return sure;
    const isResolved = resolved !== undefined && isSame(resolved.handle, claimed);
    if (isResolved && isSameDocument(resolved.actorUrl, actor.uri)) return sure;
    const scheme = actor.uri.startsWith('http:') ? 'http' : 'https';
    const confirmed = await confirmActorHandle(this.fetcher, identity, { scheme });
    return !confirmed.ok && this.mayTakeAtItsWord(actor, claimed, confirmed) ? sure : confirmed;
  }

  /**
   * For a server without WebFinger, or whose WebFinger fails: the actor's claim is accepted for a name of its own host
   * that no other account has. A WebFinger response that contradicts it always wins.
   */
  private mayTakeAtItsWord(actor: RemoteActor, claimed: Handle, { kind }: FetchFailure): boolean {
    if (kind === 'invalid' || claimed.host !== hostOf(actor.uri)) return false;
    const known = this.accounts.ofHandle(claimed.username, claimed.host);
    return known === undefined || known.uri === actor.uri;
  }

  /** Uses plain http where the operator allows it: that means a fleet on one machine, where TLS is the exception. */
  private async resolve(handle: Handle): Promise<HandleResult> {
    if (!this.services.options.federationAllowHttp) return resolveHandle(this.fetcher, handle, { scheme: 'https' });
    const plain = await resolveHandle(this.fetcher, handle, { scheme: 'http' });
    return plain.ok || plain.kind === 'notFound' ? plain : resolveHandle(this.fetcher, handle, { scheme: 'https' });
  }
}

/** How an account begins whose server is silenced. */
const silenced = { limited: true, byDomain: { severity: 'silence' as const, wasLimited: false } };

/** None of them is the known one, and no Update that was signed with it has said so: its server was built anew. */
function hasOtherKeys({ keyText }: KnownAccount, { keys }: RemoteActor): boolean {
  return keyText !== undefined && keys.every(({ text }) => text !== keyText);
}

function isSame(one: Handle, other: Handle): boolean {
  return one.host === other.host && one.username === other.username;
}
