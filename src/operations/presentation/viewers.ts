/**
 * Caches facts about viewers: whom they hide, and their state of statuses. Events keep the facts current, so that
 * showing a page of twenty statuses a second time reads nothing from storage.
 */

import { filtersOf } from '../../actors/account/filters/filters.queries.ts';
import { blockedDomains } from '../../actors/account/relationships/blocked-domains.queries.ts';
import { type HiddenAccounts, hiddenAccounts, viewerOf } from '../../actors/account/relationships/viewer.queries.ts';
import type { Viewer } from '../../actors/policy/visibility.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import { ByteCache } from './byte-cache.ts';
import { type PresentationContext, remembersDecisions } from './contexts.ts';
import { ActiveFilters, noFilters } from './filters.ts';
import { IdMap } from './id-map.ts';
import { presentationLimits } from './limits.ts';
import { ViewerVersion } from './sources.ts';
import { defaultState, readStates, type ViewerState } from './viewer-state.ts';

/** A state with its encoded form; one object shared by all statuses and viewers with equal state. */
export interface SharedState<Body> {
  readonly values: ViewerState;
  readonly body: Body;
}

/** When an account is shown again (milliseconds since 1970). */
interface Hiding {
  readonly until: number;
}

const forEver: Hiding = { until: Number.POSITIVE_INFINITY };

type Share<Body> = (values: ViewerState) => SharedState<Body>;

/** About the memory of a viewer, and of each cached state, showing, hidden account and hidden domain (measured). */
const viewerBytes = 1_000;
const stateBytes = 110;
const showingBytes = 40;
const hiddenBytes = 100;

/** One viewer with cached answers: everything that hides accounts includes all blocks. */
export class CachedViewer<Body> implements Viewer {
  readonly accountId: Id;
  bytes = viewerBytes;
  /** Replaced after each change of the cached facts. */
  viewerVersion = new ViewerVersion(Number.POSITIVE_INFINITY);
  private readonly reader: Reader;
  private readonly share: Share<Body>;
  private readonly grew: (accountId: Id, bytes: number) => void;
  private readonly states = new IdMap<SharedState<Body>>();
  /**
   * By context and version of a status: the state in which it is shown. Keys are not references, which would keep old
   * versions in memory.
   */
  private readonly showings = new Map<PresentationContext, Map<number, Body>>();
  private showingsCount = 0;
  private hidden: IdMap<Hiding> | undefined;
  /** When the first of the mutes in force ends. */
  private hiddenUntil = Number.POSITIVE_INFINITY;
  private hiddenDomains: ReadonlySet<string> | undefined;
  private compiledFilters: ActiveFilters | undefined;
  private now = 0;

  constructor(reader: Reader, share: Share<Body>, accountId: Id, grew: (accountId: Id, bytes: number) => void) {
    this.reader = reader;
    this.share = share;
    this.grew = grew;
    this.accountId = accountId;
  }

  /** This viewer at this time (milliseconds since 1970), valid until the next call. */
  at(now: number): this {
    this.now = now;
    if (now >= this.viewerVersion.validUntil) this.changed();
    return this;
  }

  /** A dropped viewer gets no events any more, so results that depend on it must not count as current. */
  dropped(): void {
    this.viewerVersion.isCurrent = false;
  }

  follows(accountId: Id): boolean {
    return this.asked.follows(accountId);
  }

  blocks(accountId: Id): boolean {
    return this.hides(accountId) && this.asked.blocks(accountId);
  }

  hasBlocked(accountId: Id): boolean {
    return this.hides(accountId) && this.asked.hasBlocked(accountId);
  }

  mutes(accountId: Id): boolean {
    return this.hides(accountId) && this.asked.mutes(accountId);
  }

  hidesDomain(domain: string | undefined): boolean {
    if (domain === undefined) return false;
    if (this.hiddenDomains === undefined) {
      this.hiddenDomains = blockedDomains(this.reader, this.accountId);
      this.recount();
    }
    return this.hiddenDomains.has(domain);
  }

  isFollowedBy(accountId: Id): boolean {
    return viewerOf(this.reader, accountId, this.now).follows(this.accountId);
  }

  /** Whether this viewer blocks or mutes the account, or is blocked by it. */
  private hides(accountId: Id): boolean {
    if (this.hidden === undefined) {
      this.hidden = hidingsOf(hiddenAccounts(this.reader, this.accountId));
      this.hiddenUntil = nextEnd(this.hidden, this.now);
      this.changed();
    }
    if (this.hidden.size === 0) return false;
    const hiding = this.hidden.get(accountId);
    return hiding !== undefined && hiding.until > this.now;
  }

  private get asked(): Viewer {
    return viewerOf(this.reader, this.accountId, this.now);
  }

  /** The filters in force. */
  get filters(): ActiveFilters {
    if (this.compiledFilters === undefined || this.now >= this.compiledFilters.validUntil) {
      const stored = filtersOf(this.reader, this.accountId);
      this.compiledFilters =
        stored.length === 0 ? noFilters : new ActiveFilters(stored, this.now, () => this.recount());
      this.changed();
    }
    return this.compiledFilters;
  }

  /** This viewer's state of the status with these halves (see IdMap), if it was read. */
  state(low: number, high: number): SharedState<Body> | undefined {
    return this.states.find(low, high);
  }

  /**
   * The cached state, with matches of filters, in which this version of a status is shown in the context, while nothing
   * that decides it has changed. Undefined where it is hidden, or was not shown yet.
   */
  shownState(context: PresentationContext, version: number): Body | undefined {
    return this.showings.get(context)?.get(version);
  }

  /** Caches a decision that was made without reading storage. */
  keepShownState(context: PresentationContext, version: number, body: Body): void {
    if (!remembersDecisions(context)) return;
    let shown = this.showings.get(context);
    if (shown === undefined) {
      shown = new Map();
      this.showings.set(context, shown);
    }
    if (shown.size >= presentationLimits.shownPerContextMax) {
      this.showingsCount -= shown.size;
      shown.clear();
    }
    shown.set(version, body);
    this.showingsCount += 1;
    this.recount();
  }

  /** This viewer's state of a status. */
  valuesOf(statusId: Id): ViewerState {
    if (this.states.get(statusId) === undefined) this.readStates([statusId]);
    return this.states.get(statusId)!.values;
  }

  readStates(statusIds: readonly Id[]): void {
    if (this.states.size + statusIds.length > presentationLimits.statesPerViewerMax) this.states.clear();
    const read = readStates(this.reader, this.accountId, statusIds);
    for (let index = 0; index < statusIds.length; index += 1)
      this.states.set(statusIds[index]!, this.share(read[index]!));
    this.recount();
  }

  forgetHidden(): void {
    this.hidden = undefined;
    this.hiddenDomains = undefined;
    this.hiddenUntil = Number.POSITIVE_INFINITY;
    this.changed();
  }

  forgetFilters(): void {
    this.compiledFilters = undefined;
    this.changed();
  }

  forgetStates(): void {
    this.states.clear();
    this.changed();
  }

  forgetState(statusId: Id): void {
    this.states.delete(statusId);
    this.changed();
  }

  /** Invalidates results made for this viewer: from now on, or from the time when a mute or a filter ends. */
  private changed(): void {
    const { now } = this;
    if (now >= this.hiddenUntil) this.hiddenUntil = nextEnd(this.hidden, now);
    if (this.compiledFilters !== undefined && now >= this.compiledFilters.validUntil) this.compiledFilters = undefined;
    const filtersUntil = this.compiledFilters?.validUntil ?? Number.POSITIVE_INFINITY;
    this.viewerVersion.isCurrent = false;
    this.viewerVersion = new ViewerVersion(Math.min(this.hiddenUntil, filtersUntil));
    this.showings.clear();
    this.showingsCount = 0;
    this.recount();
  }

  private recount(): void {
    const hidden = (this.hidden?.size ?? 0) + (this.hiddenDomains?.size ?? 0);
    const filters = this.compiledFilters?.bytes ?? 0;
    const known = this.states.size * stateBytes + this.showingsCount * showingBytes;
    const bytes = viewerBytes + known + hidden * hiddenBytes + filters;
    const more = bytes - this.bytes;
    this.bytes = bytes;
    this.grew(this.accountId, more);
  }
}

/** Looked up for each author of a page: an IdMap, because a Map would hash bigints. */
function hidingsOf(accounts: HiddenAccounts): IdMap<Hiding> {
  const hidings = new IdMap<Hiding>();
  for (const [accountId, until] of accounts)
    hidings.set(accountId, until === Number.POSITIVE_INFINITY ? forEver : { until });
  return hidings;
}

function nextEnd(hidings: IdMap<Hiding> | undefined, now: number): number {
  let next = Number.POSITIVE_INFINITY;
  for (const { until } of hidings?.values() ?? []) if (until > now && until < next) next = until;
  return next;
}

export class Viewers<Body> {
  /** The state of a status that the viewer has nothing to do with. */
  readonly untied: SharedState<Body>;
  private readonly reader: Reader;
  private readonly encode: (values: ViewerState) => Body;
  private readonly viewers: ByteCache<CachedViewer<Body>>;
  private readonly shared = new Map<string, SharedState<Body>>();

  constructor(reader: Reader, bytesMax: number, encode: (values: ViewerState) => Body) {
    this.reader = reader;
    this.viewers = new ByteCache(bytesMax);
    this.encode = encode;
    this.untied = { values: defaultState, body: encode(defaultState) };
  }

  of(accountId: Id): CachedViewer<Body> {
    let viewer = this.viewers.get(accountId);
    if (viewer === undefined) {
      viewer = new CachedViewer(this.reader, this.share, accountId, this.grew);
      this.viewers.set(accountId, viewer);
    }
    return viewer;
  }

  get bytes(): number {
    return this.viewers.bytes;
  }

  private readonly grew = (accountId: Id, bytes: number): void => this.viewers.grew(accountId, bytes);

  private readonly share = (values: ViewerState): SharedState<Body> => {
    if (values === defaultState) return this.untied;
    const key = JSON.stringify(values);
    let shared = this.shared.get(key);
    if (shared === undefined) {
      if (this.shared.size >= presentationLimits.sharedStatesMax) this.shared.clear();
      shared = { values, body: this.encode(values) };
      this.shared.set(key, shared);
    }
    return shared;
  };

  forgetHidden(accountId: Id): void {
    this.viewers.get(accountId)?.forgetHidden();
  }

  forgetFilters(accountId: Id): void {
    this.viewers.get(accountId)?.forgetFilters();
  }

  forgetStates(accountId: Id): void {
    this.viewers.get(accountId)?.forgetStates();
  }

  forgetState(accountId: Id, statusId: Id): void {
    this.viewers.get(accountId)?.forgetState(statusId);
  }

  clear(): void {
    this.viewers.clear();
  }
}
