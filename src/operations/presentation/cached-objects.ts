/**
 * The statuses and accounts that a thread has read, each version with its encoded form (cached-status.ts). They are
 * shared by all viewers.
 *
 * INVARIANT a cached object is dropped by the event of any change to it. Snapshots are renewed before events are
 * dispatched, so nothing older than an event can be cached after it.
 */

import { findAccount, findCounters, findPublicAccount } from '../../actors/account/profile/profiles.queries.ts';
import { findProfile } from '../../actors/account/remote/federation.queries.ts';
import { findAnybodysStatus } from '../../actors/account/status-views.queries.ts';
import { noStatusCounters } from '../../actors/account/statuses/statuses.queries.ts';
import type { Status } from '../../actors/account/statuses/statuses.records.ts';
import { cacheables } from '../../actors/cacheables.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Snapshots } from '../../runtime/storage/snapshots.ts';
import type { Caches } from '../../services/caches.ts';
import type { EventHub } from '../../services/event-hub.ts';
import type { MediaRules } from '../../services/media/media-rules.ts';
import { ByteCache } from './byte-cache.ts';
import type { EncodedForms } from './cached-status.ts';
import {
  type AccountFacts,
  CachedAccount,
  CachedFacts,
  CachedStatus,
  type EncodableView,
  type Encoder,
  factsOf,
  traitsOf,
} from './cached-status.ts';
import { RecentChanges } from './recent-changes.ts';
import type { Source, SourceRecorder } from './sources.ts';

interface CachedObjectsOptions<Forms extends EncodedForms> {
  readonly caches: Caches;
  readonly snapshots: Snapshots;
  readonly events: EventHub;
  readonly encoder: Pick<Encoder<Forms>, 'status' | 'account' | 'countAccount'>;
  readonly recorder: SourceRecorder;
  /** That the encoder goes by. */
  readonly mediaRules?: Pick<MediaRules, 'onChange'> | undefined;
}

export class CachedObjects<Forms extends EncodedForms> {
  private readonly options: CachedObjectsOptions<Forms>;
  private readonly statuses: ByteCache<CachedStatus<Forms>>;
  private readonly accounts: ByteCache<CachedAccount<Forms>>;
  private readonly facts: ByteCache<CachedFacts>;
  private readonly changed = new RecentChanges();
  private lastVersion = 0;
  private lastSerial = 0;

  constructor(options: CachedObjectsOptions<Forms>) {
    const { caches, events } = options;
    this.options = options;
    this.statuses = new ByteCache(caches.bytesMax('statuses'));
    this.accounts = new ByteCache(caches.bytesMax('accounts'));
    this.facts = new ByteCache(caches.bytesMax('accountFacts'));
    caches.measure('statuses', this.statuses);
    caches.measure('accounts', this.accounts);
    caches.measure('accountFacts', this.facts);
    events.onInvalidation(cacheables.status, (statusId) => {
      this.statuses.delete(statusId);
      this.changed.add(statusId);
    });
    events.onInvalidation(cacheables.account, (accountId) => {
      this.accounts.delete(accountId);
      this.facts.delete(accountId);
    });
    // Whether media of a server are shown is part of what is encoded. Whose those are is not known here.
    options.mediaRules?.onChange(() => {
      this.statuses.clear();
      this.accounts.clear();
    });
    // Who has it is not known here. Roles change rarely.
    events.onInvalidation(cacheables.roles, () => this.accounts.clear());
    events.onInvalidation(cacheables.accountCounters, (accountId) => this.countersChanged(accountId));
    events.onLoss(() => {
      this.statuses.clear();
      this.accounts.clear();
      this.facts.clear();
      this.changed.forget();
    });
  }

  /** The status with these halves of its id (see IdMap), if it is cached. */
  cached(low: number, high: number): CachedStatus<Forms> | undefined {
    return this.statuses.find(low, high);
  }

  cachedStatus(statusId: Id): CachedStatus<Forms> | undefined {
    return this.statuses.get(statusId);
  }

  /** Also of a suspended author, who may be suspended after it was cached. Undefined where one of them was deleted. */
  status(statusId: Id): CachedStatus<Forms> | undefined {
    const known = this.statuses.get(statusId);
    if (known !== undefined) return known;
    const view = findAnybodysStatus(this.options.snapshots, statusId);
    if (view === undefined) return undefined;
    const status = this.encode(view);
    this.statuses.set(statusId, status);
    return status;
  }

  account(accountId: Id): CachedAccount<Forms> | undefined {
    const known = this.countedAccount(accountId);
    this.options.recorder.add(known);
    if (known !== undefined) return known;
    const view = findAccount(this.options.snapshots, accountId);
    if (view === undefined) return undefined;
    const account = new CachedAccount(traitsOf(view.profile), this.options.encoder.account(view));
    this.accounts.set(accountId, account);
    return account;
  }

  /** The cached account. */
  private countedAccount(accountId: Id): CachedAccount<Forms> | undefined {
    const known = this.accounts.get(accountId);
    if (known === undefined || known.isCounted) return known;
    this.options.encoder.countAccount(known.body, findCounters(this.options.snapshots, accountId));
    known.isCounted = true;
    return known;
  }

  /** Creates a new version of the account, whose counters are read when it is shown. */
  private countersChanged(accountId: Id): void {
    const known = this.accounts.get(accountId);
    if (known === undefined || !known.isCounted) return;
    this.accounts.delete(accountId);
    const uncounted = new CachedAccount(known.traits, known.body);
    uncounted.isCounted = false;
    this.accounts.set(accountId, uncounted);
  }

  authorOf(status: CachedStatus<Forms>): CachedAccount<Forms> | undefined {
    const { author } = status;
    if (author !== undefined) return author;
    const read = this.account(status.accountId);
    this.lastVersion += 1;
    status.changeAuthor(read, this.lastVersion);
    return read;
  }

  /** Reads only the profile of an account that is not cached, and caches only these facts. */
  accountFacts(accountId: Id): (AccountFacts & Source) | undefined {
    const known = this.accounts.get(accountId) ?? this.facts.get(accountId);
    this.options.recorder.add(known);
    if (known !== undefined) return known;
    const profile = findProfile(this.options.snapshots, accountId);
    if (profile === undefined) return undefined;
    const facts = new CachedFacts(factsOf(profile));
    this.facts.set(accountId, facts);
    return facts;
  }

  /** A public account: see findPublicAccount. */
  publicAccount(accountId: Id): CachedAccount<Forms> | undefined {
    const account = this.account(accountId);
    if (account === undefined) return undefined;
    account.isPublic ??= findPublicAccount(this.options.snapshots, accountId) !== undefined;
    return account.isPublic ? account : undefined;
  }

  /**
   * Call before a local account publishes a status through this thread, and call the returned function with the new
   * status as stored. It caches the author, and a status that mentions somebody, for those who are notified of it,
   * unless an event about it has arrived meanwhile. It does not read the status.
   */
  publishing() {
    const isUnchanged = this.changed.watch();
    return (status: Status, { traits: { username } }: CachedAccount<Forms>): CachedStatus<Forms> => {
      const { id, mentions } = status;
      const cached = this.statuses.get(id);
      if (cached !== undefined) return cached;
      const author = { profile: { username, domain: undefined, remote: undefined } };
      const known = this.encode({ status, counters: noStatusCounters, author });
      if (mentions.length > 0 && isUnchanged(id)) this.statuses.set(id, known);
      return known;
    };
  }

  /** Counts bytes that are cached together with the status. */
  keptWith(status: CachedStatus<Forms>, bytes: number): void {
    status.bytes += bytes;
    if (status.isCurrent) this.statuses.grew(status.id, bytes);
  }

  /** Drops a status with its author. Returns the dropped status. */
  forget(statusId: Id): CachedStatus<Forms> | undefined {
    const status = this.statuses.get(statusId);
    this.statuses.delete(statusId);
    this.changed.add(statusId);
    if (status !== undefined) this.accounts.delete(status.accountId);
    return status;
  }

  private encode(view: EncodableView): CachedStatus<Forms> {
    this.lastSerial += 1;
    return new CachedStatus(view, this.options.encoder.status(view), this.lastSerial);
  }
}
