/**
 * The statuses and accounts that a thread has read, each version with its encoded form (known-status.ts): for all viewers,
 * whoever is shown them.
 *
 * INVARIANT what is cached is dropped by the event of whatever changes it. Snapshots are renewed before events are
 * dispatched, so nothing older than an event can be cached after it.
 */
import { findPublicAccount } from '../../actors/account/profile/profiles.queries.ts';
import { findProfile } from '../../actors/account/remote/federation.queries.ts';
import {
  type AccountView,
  findAccount,
  findStatus,
  type StatusView,
} from '../../actors/account/statuses/statuses.queries.ts';
import { type RepliesQuery, repliesTo } from '../../actors/account/statuses/threads.queries.ts';
import { cacheables } from '../../actors/cacheables.ts';
import type { FeaturePermission } from '../../actors/policy/featuring.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Snapshots } from '../../runtime/storage/snapshots.ts';
import type { Caches } from '../../services/caches.ts';
import type { EventHub } from '../../services/event-hub.ts';
import { ByteCache } from './byte-cache.ts';
import {
  type AccountFacts,
  type Encoded,
  type Encoder,
  factsOf,
  KnownAccount,
  KnownStatus,
  traitsOf,
} from './known-status.ts';
import type { SourceRecorder } from './sources.ts';

/** An id in a list (measured). */
const idBytes = 32;

interface KnownObjectsOptions<StatusBody extends Encoded, AccountBody extends Encoded> {
  readonly caches: Caches;
  readonly snapshots: Snapshots;
  readonly events: EventHub;
  readonly encoder: Pick<Encoder<StatusBody, AccountBody, never>, 'status' | 'account' | 'accountWith'>;
  readonly recorder: SourceRecorder;
}

export class KnownObjects<StatusBody extends Encoded, AccountBody extends Encoded> {
  private readonly options: KnownObjectsOptions<StatusBody, AccountBody>;
  private readonly statuses: ByteCache<KnownStatus<StatusBody, AccountBody>>;
  private readonly accounts: ByteCache<KnownAccount<AccountBody>>;

  constructor(options: KnownObjectsOptions<StatusBody, AccountBody>) {
    const { caches, events } = options;
    this.options = options;
    this.statuses = new ByteCache(caches.bytesMax('statuses'));
    this.accounts = new ByteCache(caches.bytesMax('accounts'));
    caches.measure('statuses', this.statuses);
    caches.measure('accounts', this.accounts);
    events.onInvalidation(cacheables.status, (statusId) => this.statuses.delete(statusId));
    events.onInvalidation(cacheables.account, (accountId) => this.accounts.delete(accountId));
    events.onLoss(() => {
      this.statuses.clear();
      this.accounts.clear();
    });
  }

  /** The status with these halves of its id (see IdMap), if it is cached. */
  cached(low: number, high: number): KnownStatus<StatusBody, AccountBody> | undefined {
    return this.statuses.find(low, high);
  }

  cachedStatus(statusId: Id): KnownStatus<StatusBody, AccountBody> | undefined {
    return this.statuses.get(statusId);
  }

  /** Undefined where the status or its author was deleted. */
  status(statusId: Id): KnownStatus<StatusBody, AccountBody> | undefined {
    const known = this.statuses.get(statusId);
    if (known !== undefined) return known;
    const view = findStatus(this.options.snapshots, statusId);
    if (view === undefined) return undefined;
    const status = this.encode(view);
    this.statuses.set(statusId, status);
    return status;
  }

  account(accountId: Id): KnownAccount<AccountBody> | undefined {
    const known = this.accounts.get(accountId);
    this.options.recorder.add(known);
    if (known !== undefined) return known;
    const view = findAccount(this.options.snapshots, accountId);
    return view === undefined ? undefined : this.keepAccount(view);
  }

  /** For `KnownAccount.asSeenBy`: the form is counted with the account. */
  readonly encodeForm = (account: KnownAccount<AccountBody>, permission: FeaturePermission): AccountBody => {
    const form = this.options.encoder.accountWith(account.body, permission);
    account.bytes += form.length;
    if (account.isCurrent) this.accounts.grew(account.traits.id, form.length);
    return form;
  };

  authorOf(status: KnownStatus<StatusBody, AccountBody>): KnownAccount<AccountBody> | undefined {
    const author = status.author ?? this.account(status.accountId);
    status.author = author;
    return author;
  }

  /** Of an account that is not cached only the profile is read, and nothing kept. */
  accountFacts(accountId: Id): AccountFacts | undefined {
    const known = this.accounts.get(accountId);
    if (known !== undefined) return known;
    const profile = findProfile(this.options.snapshots, accountId);
    return profile && factsOf(profile);
  }

  /** A public account: see findPublicAccount. */
  publicAccount(accountId: Id): KnownAccount<AccountBody> | undefined {
    const account = this.account(accountId);
    if (account === undefined) return undefined;
    account.isPublic ??= findPublicAccount(this.options.snapshots, accountId) !== undefined;
    return account.isPublic ? account : undefined;
  }

  /** A new original; the view is not compared with storage, and the status not kept. */
  published(view: StatusView) {
    return {
      status: this.statuses.get(view.status.id) ?? this.encode(view),
      author: this.accounts.get(view.status.accountId) ?? this.keepAccount(view.author),
    };
  }

  /** Ids of the replies to a status, oldest first. */
  repliesTo({ id }: KnownStatus<StatusBody, AccountBody>, query: RepliesQuery): readonly Id[] {
    return repliesTo(this.options.snapshots, id, query);
  }

  keepReplies(status: KnownStatus<StatusBody, AccountBody>, replies: readonly Id[]): void {
    status.replies = replies;
    this.keptWith(status, replies.length * idBytes);
  }

  /** Counts bytes that are cached together with the status. */
  keptWith(status: KnownStatus<StatusBody, AccountBody>, bytes: number): void {
    status.bytes += bytes;
    if (status.isCurrent) this.statuses.grew(status.id, bytes);
  }

  /** Drops a status with its author, and answers which it was. */
  forget(statusId: Id): KnownStatus<StatusBody, AccountBody> | undefined {
    const status = this.statuses.get(statusId);
    this.statuses.delete(statusId);
    if (status !== undefined) this.accounts.delete(status.accountId);
    return status;
  }

  private encode(view: StatusView): KnownStatus<StatusBody, AccountBody> {
    return new KnownStatus(view, this.options.encoder.status(view));
  }

  private keepAccount(view: AccountView): KnownAccount<AccountBody> {
    const account = new KnownAccount(traitsOf(view.profile), this.options.encoder.account(view));
    this.accounts.set(view.profile.id, account);
    return account;
  }
}
