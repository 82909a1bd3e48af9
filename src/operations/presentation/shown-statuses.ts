/**
 * Whether a viewer is shown one status in a context, and what with: its author as the viewer sees it, the viewer's state,
 * the original of a reblog, and what it shows of others.
 */

import type { Status } from '../../actors/account/statuses/statuses.records.ts';
import { type AddressedStatus, anonymous } from '../../actors/policy/visibility.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Snapshots } from '../../runtime/storage/snapshots.ts';
import type { CachedObjects } from './cached-objects.ts';
import type { CachedAccount, CachedStatus, EncodedForms, Encoder } from './cached-status.ts';
import { contextOfOriginal, isShown, type PresentationContext } from './contexts.ts';
import { FilteredStates } from './filtered-states.ts';
import { isDroppedIn } from './filters.ts';
import { permissionFor } from './quotes.ts';
import { PartsPresenter } from './shown-parts.ts';
import type { ShownStatus } from './shown-status.ts';
import type { SourceRecorder } from './sources.ts';
import type { StateReader } from './viewer-state.ts';
import type { CachedViewer, SharedState, Viewers } from './viewers.ts';

interface ShownStatusesOptions<Forms extends EncodedForms> {
  readonly snapshots: Snapshots;
  readonly encoder: Encoder<Forms>;
  readonly recorder: SourceRecorder;
  readonly known: CachedObjects<Forms>;
  readonly viewers: Viewers<Forms['state']>;
}

/** The kind of reader that the author of a status is. */
function authorReaderOf({ visibility }: Pick<AddressedStatus, 'visibility'>): StateReader {
  return visibility === 'direct' ? 'author of direct' : 'author';
}

export class ShownStatuses<Forms extends EncodedForms> {
  private readonly snapshots: Snapshots;
  private readonly recorder: SourceRecorder;
  private readonly known: CachedObjects<Forms>;
  private readonly viewers: Viewers<Forms['state']>;
  private readonly filtered: FilteredStates<Forms>;
  private readonly parts: PartsPresenter<Forms>;
  private readonly anonymousState: Forms['state'];

  constructor(options: ShownStatusesOptions<Forms>) {
    const { snapshots, encoder, recorder, known, viewers } = options;
    this.snapshots = snapshots;
    this.recorder = recorder;
    this.known = known;
    this.viewers = viewers;
    this.filtered = new FilteredStates({ snapshots, encoder, known });
    this.parts = new PartsPresenter({
      reader: snapshots,
      encoder,
      recorder,
      status: (statusId) => known.status(statusId),
      account: (accountId) => known.account(accountId),
      authorOf: (status) => known.authorOf(status),
      show: (status, viewer) => this.show(status, viewer, 'quoted', [], true),
      forStranger: (statusId) => this.forStranger(statusId, true),
    });
    this.anonymousState = encoder.viewerState(undefined);
  }

  /** `companions`: the page's ids, whose states are read together. Undefined where the viewer is not shown it. */
  show(
    status: CachedStatus<Forms>,
    viewer: CachedViewer<Forms['state']> | undefined,
    context: PresentationContext,
    companions: BigUint64Array | readonly Id[],
    isQuoted = false,
  ): ShownStatus<Forms> | undefined {
    const known = status.author ?? this.known.authorOf(status);
    this.recorder.add(status);
    this.recorder.add(known);
    if (known === undefined) return undefined;
    const before = viewer?.shownState(context, status.version);
    const { readCount } = this.snapshots;
    if (before === undefined && !isShown(status, known, viewer ?? anonymous, context)) return undefined;
    let original: ShownStatus<Forms> | undefined;
    if (status.reblogOfId !== undefined) {
      const subject = this.known.cached(status.subjectLow, status.subjectHigh) ?? this.known.status(status.reblogOfId);
      const place = contextOfOriginal(context, status.accountId === viewer?.accountId);
      original = subject === undefined ? undefined : this.show(subject, viewer, place, companions);
      if (original === undefined) return undefined;
    }
    const state = before ?? this.stateOf(status, original?.status, viewer, context, companions);
    if (state === undefined) return undefined;
    // Not cached where storage was read, because no event announces changes of that; nor for a reblog, whose original
    // may change.
    const isKept = before === undefined && original === undefined && this.snapshots.readCount === readCount;
    if (isKept) viewer?.keepShownState(context, status.version, state);
    const isOwn = viewer !== undefined && status.accountId === viewer.accountId;
    const isUsual = viewer !== undefined && !isOwn && !known.asksForFollow;
    const author = isUsual ? known : known.asSeenBy(viewer);
    const quotePermission = original?.quotePermission ?? permissionFor(status.quotability, status, viewer);
    const parts = status.hasParts ? this.parts.of(status, viewer, isQuoted) : undefined;
    let shownTo: StateReader = viewer === undefined ? 'anonymous' : 'viewer';
    if (isOwn && original === undefined) shownTo = authorReaderOf(status);
    return { status, author, state, shownTo, original, quotePermission, parts };
  }

  /** An original as a viewer without any relationship to it sees it; whether it is shown was decided before. */
  forStranger(statusId: Id, isQuoted = false): ShownStatus<Forms> | undefined {
    const status = this.known.status(statusId);
    const author = status === undefined ? undefined : this.known.authorOf(status);
    if (status === undefined || author === undefined || author.isSuspended) return undefined;
    const { stranger: quotePermission } = status.quotability;
    const parts = status.hasParts ? this.parts.forStranger(status, isQuoted) : undefined;
    const { body: state } = this.viewers.untied;
    return { status, author, state, shownTo: 'viewer', original: undefined, quotePermission, parts };
  }

  /** A status that the viewer publishes now, with the default viewer state. */
  published(
    published: Status,
    status: CachedStatus<Forms>,
    account: CachedAccount<Forms>,
    viewer: CachedViewer<Forms['state']>,
  ): ShownStatus<Forms> {
    const author = account.asSeenBy(viewer);
    const matches = this.filtered.matches(status, undefined, viewer, published);
    const state = this.filtered.bodyOf(this.viewers.untied, matches);
    const shownTo = published.visibility === 'direct' ? 'viewer' : 'author';
    const { author: quotePermission } = status.quotability;
    const parts = status.hasParts ? this.parts.of(status, viewer) : undefined;
    return { status, author, state, shownTo, original: undefined, quotePermission, parts };
  }

  /** The viewer state with matches of filters; undefined where a filter drops the status. */
  private stateOf(
    status: CachedStatus<Forms>,
    original: CachedStatus<Forms> | undefined,
    viewer: CachedViewer<Forms['state']> | undefined,
    context: PresentationContext,
    companions: BigUint64Array | readonly Id[],
  ): Forms['state'] | undefined {
    if (viewer === undefined) return this.anonymousState;
    const state = viewer.state(status.subjectLow, status.subjectHigh) ?? this.readState(status, viewer, companions);
    const matches = this.filtered.matches(status, original, viewer);
    const isOwn = status.accountId === viewer.accountId;
    if (matches.length > 0 && !isOwn && isDroppedIn(context, matches)) return undefined;
    return this.filtered.bodyOf(state, matches);
  }

  /** Reads the states of the status and of all others on its page at once. */
  private readState(
    status: CachedStatus<Forms>,
    viewer: CachedViewer<Forms['state']>,
    companions: BigUint64Array | readonly Id[],
  ): SharedState<Forms['state']> {
    const subjects = new Set([status.subjectId]);
    for (const id of companions) {
      const companion = this.known.cachedStatus(id);
      if (companion !== undefined && viewer.state(companion.subjectLow, companion.subjectHigh) === undefined)
        subjects.add(companion.subjectId);
    }
    viewer.readStates([...subjects]);
    return viewer.state(status.subjectLow, status.subjectHigh)!;
  }
}
