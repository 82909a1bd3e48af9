/**
 * The presenter of statuses: which of them a viewer is shown in a context, with the viewer's state of each. Every
 * interface, list and stream uses it. Each gateway thread has one.
 *
 * From storage to an answer, with the file of each step; `Forms` are the encoded forms that the interface chooses:
 *
 *   cached-objects.ts      statuses and accounts that the thread has read, each version encoded once for all viewers;
 *                          `Cached…` (cached-status.ts, cached-notification.ts, cached-threads.ts) is such a version
 *   contexts.ts            where statuses are shown (home, public timeline, profile, …), and what each place leaves out
 *   viewers.ts             viewers by their follows, blocks, mutes and filters, with the viewer states of their statuses;
 *                          a `ViewerVersion` is another object after each change
 *   viewer-state.ts        the fields of viewer state (favourited, pinned, …), each with its query: one row each
 *   viewer-parts.ts        parts of a status that depend on the viewer, such as its quote; shown-parts.ts presents them
 *   filters.ts             the viewer's filters; filtered-states.ts: states that differ by what they match
 *   shown-statuses.ts      the decision: a `ShownStatus` is a cached status with state and parts for one viewer
 *   sources.ts             the versions that a decision was made from: it holds while all of them are current
 *   versioned-lists.ts     lists of one account, such as its notifications, kept while their version is the stored one
 *   notifications.ts       notifications, notification-groups.ts, notification-requests.ts and conversations.ts: the same
 *                          for what is in those lists
 *   presented-status.ts    for interfaces that do not encode: typed values, without caches
 *
 * To show a new field of viewer state or a new context is one row; nothing here knows JSON.
 */
import type { ChooseAccount } from '../../actors/account/relationships/relationships.queries.ts';
import { findStatus } from '../../actors/account/status-views.queries.ts';
import type { Status } from '../../actors/account/statuses/statuses.records.ts';
import { cacheables } from '../../actors/cacheables.ts';
import { anonymous, type Viewer } from '../../actors/policy/visibility.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Snapshots } from '../../runtime/storage/snapshots.ts';
import type { Caches } from '../../services/caches.ts';
import type { EventHub } from '../../services/event-hub.ts';
import type { MediaRules } from '../../services/media/media-rules.ts';
import { CachedObjects } from './cached-objects.ts';
import type { AccountFacts, CachedAccount, CachedStatus, EncodedForms, Encoder } from './cached-status.ts';
import { CachedThreads } from './cached-threads.ts';
import type { PresentationContext } from './contexts.ts';
import { type PresentedStatus, type PresentedViews, presentView } from './presented-status.ts';
import type { Owner, ShownStatus } from './shown-status.ts';
import { ShownStatuses } from './shown-statuses.ts';
import { Slice } from './slice.ts';
import { type Source, SourceRecorder } from './sources.ts';
import type { ViewerState } from './viewer-state.ts';
import { type CachedViewer, Viewers } from './viewers.ts';

export interface PresenterOptions<Forms extends EncodedForms> {
  readonly caches: Caches;
  readonly snapshots: Snapshots;
  readonly events: EventHub;
  readonly encoder: Encoder<Forms>;
  /** That the encoder goes by. */
  readonly mediaRules?: Pick<MediaRules, 'onChange'> | undefined;
  now(): number;
}

const always = () => true;
const never = () => false;

export class Presenter<Forms extends EncodedForms> implements PresentedViews {
  /** Records the cached objects that a result was made from (sources.ts). */
  readonly recorder: SourceRecorder;
  readonly now: () => number;
  /** For `walkThread`. */
  readonly threads: CachedThreads<Forms>;
  private readonly options: PresenterOptions<Forms>;
  private readonly known: CachedObjects<Forms>;
  private readonly viewers: Viewers<Forms['state']>;
  private readonly shown: ShownStatuses<Forms>;

  constructor(options: PresenterOptions<Forms>) {
    const { snapshots, events, encoder, caches, mediaRules } = options;
    this.options = options;
    this.now = () => options.now();
    this.recorder = new SourceRecorder(snapshots);
    this.known = new CachedObjects({ caches, snapshots, events, encoder, recorder: this.recorder, mediaRules });
    this.threads = new CachedThreads({ known: this.known, snapshots, now: this.now });
    this.viewers = new Viewers(snapshots, caches.bytesMax('viewers'), (values) => encoder.viewerState(values));
    caches.measure('viewers', this.viewers);
    const { recorder, known, viewers } = this;
    this.shown = new ShownStatuses({ snapshots, encoder, recorder, known, viewers });
    events.onInvalidation(cacheables.hiddenAccounts, (accountId) => this.viewers.forgetHidden(accountId));
    events.onInvalidation(cacheables.filters, (accountId) => this.viewers.forgetFilters(accountId));
    events.onInvalidation(cacheables.viewerStates, (viewerId) => this.viewers.forgetStates(viewerId));
    events.onInvalidation(cacheables.viewerState, ({ viewerId, statusId }) =>
      this.viewers.forgetState(viewerId, statusId),
    );
    events.onLoss(() => this.viewers.clear());
  }

  viewer(accountId: Id | undefined): Viewer {
    return this.remembered(accountId) ?? anonymous;
  }

  /** The statuses that the viewer may see, in order. */
  page(statusIds: BigUint64Array, viewerId: Id | undefined, context: PresentationContext): ShownStatus<Forms>[] {
    return this.pageWhile(always, statusIds, viewerId, context)!;
  }

  /** The same, undefined where a status has to be looked for in storage: most pages need no slices. */
  cachedPage(
    statusIds: BigUint64Array,
    viewerId: Id | undefined,
    context: PresentationContext,
  ): ShownStatus<Forms>[] | undefined {
    return this.pageWhile(never, statusIds, viewerId, context);
  }

  /**
   * The same in slices (see TimeSlices) where many have to be read. All of them are decided about at once, in the last
   * slice: what the viewer hides meanwhile is not on the page.
   */
  *pageInSlices(
    statusIds: BigUint64Array,
    viewerId: Id | undefined,
    context: PresentationContext,
  ): Generator<undefined, ShownStatus<Forms>[]> {
    const slice = new Slice(this);
    const page = this.pageWhile(() => !slice.isOver(), statusIds, viewerId, context);
    if (page !== undefined) return page;
    // Copied, because the buffer of the ids is reused meanwhile.
    const kept = statusIds.slice();
    yield;
    yield* this.readAhead(kept);
    return this.page(kept, viewerId, context);
  }

  /** Undefined when a status would have to be read and the slice is over. */
  private pageWhile(
    hasTime: () => boolean,
    statusIds: BigUint64Array,
    viewerId: Id | undefined,
    context: PresentationContext,
  ): ShownStatus<Forms>[] | undefined {
    const viewer = this.remembered(viewerId);
    const halves = new Int32Array(statusIds.buffer, statusIds.byteOffset, 2 * statusIds.length);
    const page: ShownStatus<Forms>[] = [];
    for (let index = 0; index < statusIds.length; index += 1) {
      const cached = this.known.cached(halves[2 * index]!, halves[2 * index + 1]!);
      if (cached === undefined && !hasTime()) return undefined;
      const status = cached ?? this.status(statusIds[index]!);
      const shown = status === undefined ? undefined : this.shown.show(status, viewer, context, statusIds);
      if (shown !== undefined) page.push(shown);
    }
    return page;
  }

  /** Caches the statuses with their authors, and the originals of reblogs. */
  private *readAhead(statusIds: Iterable<Id>): Generator<undefined, void> {
    const slice = new Slice(this);
    for (const statusId of statusIds) {
      if (slice.isOver()) {
        yield;
        slice.begin();
      }
      const status = this.status(statusId);
      const original = status?.reblogOfId === undefined ? undefined : this.status(status.reblogOfId);
      if (status !== undefined) this.known.authorOf(status);
      if (original !== undefined) this.known.authorOf(original);
    }
  }

  /** The same for cached statuses; outdated ones are read again. */
  pageOf(
    statuses: readonly CachedStatus<Forms>[],
    viewerId: Id | undefined,
    context: PresentationContext,
  ): ShownStatus<Forms>[] {
    const viewer = this.remembered(viewerId);
    const companions = statuses.map(({ id }) => id);
    const page: ShownStatus<Forms>[] = [];
    for (const known of statuses) {
      const status = known.isCurrent ? known : this.status(known.id);
      const shown = status === undefined ? undefined : this.shown.show(status, viewer, context, companions);
      if (shown !== undefined) page.push(shown);
    }
    return page;
  }

  /** Undefined for a status that does not exist for this viewer. */
  one(statusId: Id, viewerId: Id | undefined, context: PresentationContext): ShownStatus<Forms> | undefined {
    const status = this.status(statusId);
    return status === undefined ? undefined : this.shown.show(status, this.remembered(viewerId), context, []);
  }

  /** `one` for a list that is built at once: the viewer is looked up once. */
  each(viewerId: Id | undefined, context: PresentationContext): (statusId: Id) => ShownStatus<Forms> | undefined {
    return this.eachFor(this.remembered(viewerId), context);
  }

  private eachFor(
    viewer: CachedViewer<Forms['state']> | undefined,
    context: PresentationContext,
  ): (statusId: Id) => ShownStatus<Forms> | undefined {
    return (statusId) => {
      const status = this.status(statusId);
      return status === undefined ? undefined : this.shown.show(status, viewer, context, []);
    };
  }

  /** What lists of the account's own are made with; valid until other work of the thread begins. */
  owner(accountId: Id, context: PresentationContext): Owner<Forms> {
    const viewer = this.remembered(accountId);
    return {
      viewer,
      viewerVersion: viewer.viewerVersion,
      status: this.eachFor(viewer, context),
      formOf: (account) => account.asSeenBy(viewer),
    };
  }

  view(statusId: Id, viewerId: Id | undefined, context: PresentationContext): PresentedStatus | undefined {
    const { snapshots: reader } = this.options;
    const view = findStatus(reader, statusId);
    const asked = { reader, viewer: this.remembered(viewerId), versionOf: (id: Id) => this.known.cachedStatus(id) };
    return view && presentView(asked, view, context);
  }

  /** An original as a viewer without any relationship to it sees it; whether it is shown was decided before. */
  forStranger(statusId: Id): ShownStatus<Forms> | undefined {
    return this.shown.forStranger(statusId);
  }

  state(statusId: Id, viewerId: Id): ViewerState {
    return this.viewers.of(viewerId).valuesOf(statusId);
  }

  /** A status with its author, regardless of visibility; undefined where either was deleted. */
  status(statusId: Id): CachedStatus<Forms> | undefined {
    return this.known.status(statusId);
  }

  get readCount(): number {
    return this.options.snapshots.readCount;
  }

  account(accountId: Id): CachedAccount<Forms> | undefined {
    return this.known.account(accountId);
  }

  accountFacts(accountId: Id): (AccountFacts & Source) | undefined {
    return this.known.accountFacts(accountId);
  }

  publicAccount(accountId: Id): CachedAccount<Forms> | undefined {
    return this.known.publicAccount(accountId);
  }

  /** Chooses for lists those that the viewer may see, as shown to the viewer: neither suspended nor behind a block. */
  shownAccounts(viewerId: Id | undefined): ChooseAccount<CachedAccount<Forms>> {
    const viewer = this.remembered(viewerId);
    return (accountId) => {
      if (viewer !== undefined && viewer.accountId !== accountId && viewer.blocks(accountId)) return undefined;
      const account = this.known.account(accountId);
      return account?.isSuspended === false ? account.asSeenBy(viewer) : undefined;
    };
  }

  /** Chooses all, also suspended and blocked ones. */
  allAccounts(viewerId: Id | undefined): ChooseAccount<CachedAccount<Forms>> {
    const viewer = this.remembered(viewerId);
    return (accountId) => this.known.account(accountId)?.asSeenBy(viewer);
  }

  /** Chooses public ones (findPublicAccount), also suspended and blocked ones. */
  publicAccounts(viewerId: Id | undefined): ChooseAccount<CachedAccount<Forms>> {
    const viewer = this.remembered(viewerId);
    return (accountId) => this.known.publicAccount(accountId)?.asSeenBy(viewer);
  }

  keptWith(status: CachedStatus<Forms>, bytes: number): void {
    this.known.keptWith(status, bytes);
  }

  /**
   * Call before the viewer publishes a status, and call the returned function with the new one: it shows it with the
   * default viewer state, without reading it from storage. Undefined where the viewer is gone.
   */
  publishing(): (published: Status) => ShownStatus<Forms> | undefined {
    const know = this.known.publishing();
    return (published) => {
      const account = this.known.account(published.accountId);
      const viewer = this.viewers.of(published.accountId).at(this.options.now());
      return account && this.shown.published(published, know(published, account), account, viewer);
    };
  }

  /**
   * Drops a status, its author, and the viewer's state of it, after the viewer has changed one of them: the events may
   * still be on their way from another thread than the answer.
   */
  forget(statusId: Id, viewerId: Id): void {
    const status = this.known.forget(statusId);
    this.viewers.forgetState(viewerId, statusId);
    if (status?.reblogOfId !== undefined) this.forget(status.reblogOfId, viewerId);
  }

  /** Whether filters may change what the viewer is shown. */
  hasFilters(viewerId: Id): boolean {
    return this.remembered(viewerId)?.filters.isEmpty === false;
  }

  private remembered(accountId: Id): CachedViewer<Forms['state']>;
  private remembered(accountId: Id | undefined): CachedViewer<Forms['state']> | undefined;
  private remembered(accountId: Id | undefined): CachedViewer<Forms['state']> | undefined {
    if (accountId === undefined) return undefined;
    const viewer = this.viewers.of(accountId).at(this.options.now());
    this.recorder.addViewerVersion(viewer.viewerVersion);
    return viewer;
  }

  /** Whether the viewer is shown the same form of the author as strangers. */
  knowsAuthorAsStranger(status: CachedStatus<Forms>, viewerId: Id): boolean {
    const author = this.known.authorOf(status);
    return author === undefined || this.accountFor(author, viewerId) === author;
  }

  /** The account as the viewer is shown it. */
  accountFor(account: CachedAccount<Forms>, viewerId: Id | undefined): CachedAccount<Forms> {
    return account.asSeenBy(this.remembered(viewerId));
  }
}
