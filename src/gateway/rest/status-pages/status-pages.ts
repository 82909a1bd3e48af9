/**
 * Statuses as bytes, as one viewer sees them: encoded once, the viewer's part spliced in. What it shows is what
 * `renderStatus` would give (a test compares them).
 *
 * INVARIANT an entry is dropped by the event of whatever changes it; events are dispatched after the snapshots were
 * renewed, so nothing that is older than an event can be cached after it.
 */

import { marked } from '../../../actors/account/interactions/interactions.events.ts';
import { accountCounted, profileChanged } from '../../../actors/account/profile/profile.events.ts';
import { sightChanged } from '../../../actors/account/relationships/relationships.events.ts';
import {
  statusCounted,
  statusDeleted,
  statusEdited,
  statusPublished,
} from '../../../actors/account/statuses/statuses.events.ts';
import { findAccount, findStatus } from '../../../actors/account/statuses/statuses.queries.ts';
import { anonymous, maySee } from '../../../actors/policy/visibility.ts';
import { type EventBatch, isEvent } from '../../../runtime/events/event.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { Snapshots } from '../../../runtime/storage/snapshots.ts';
import type { Addresses } from '../../../services/addresses.ts';
import type { EventHub } from '../../../services/event-hub.ts';
import { ByteCache } from './byte-cache.ts';
import { EncodedAccount, EncodedStatus, marksJson, noMarks } from './encoded-status.ts';
import { statusPageLimits } from './limits.ts';
import { PageBuffer } from './page-buffer.ts';
import { type RememberedViewer, Viewers } from './viewers.ts';

export interface StatusPagesOptions {
  readonly snapshots: Snapshots;
  readonly addresses: Addresses;
  readonly events: EventHub;
  now(): number;
}

const openBracket = 0x5b;
const colon = 0x3a;
const comma = Buffer.from(',');
const listEnd = Buffer.from(']');
/** What a page is when nothing of it is shown: this very buffer. */
export const emptyPage = Buffer.from('[]');

const withoutViewer = Buffer.from('"filtered":[]}');
/** By favourited, reblogged, own as bits. */
const withViewer = Array.from({ length: 8 }, (_, bits) =>
  bits === 0 ? noMarks : marksJson((bits & 1) !== 0, (bits & 2) !== 0, (bits & 4) !== 0),
);

/** Whoever looks at a page; undefined for a request without a user. */
type PageViewer = RememberedViewer | undefined;

export class StatusPages {
  private readonly options: StatusPagesOptions;
  private readonly statuses = new ByteCache<EncodedStatus>(statusPageLimits.statusBytesMax);
  private readonly accounts = new ByteCache<EncodedAccount>(statusPageLimits.accountBytesMax);
  private readonly viewers: Viewers;
  private readonly buffer = new PageBuffer();

  constructor(options: StatusPagesOptions) {
    this.options = options;
    this.viewers = new Viewers(options.snapshots);
    options.events.subscribe((batch) => this.changed(batch));
    options.events.onLoss(() => this.clear());
  }

  /** The entity of one status; undefined when it does not exist for this viewer. Good until the next page is made. */
  one(statusId: Id, viewerId: Id | undefined): Buffer | undefined {
    this.buffer.begin();
    const status = this.status(statusId);
    return status !== undefined && this.add(status, this.viewer(viewerId)) ? this.buffer.page.subarray(1) : undefined;
  }

  /**
   * A JSON array of the statuses that the viewer may see, good until the next page is made. With `hideMuted`, those of
   * muted accounts are left out too, as author or as the one who is reblogged.
   */
  page(statusIds: BigUint64Array, viewerId: Id | undefined, { hideMuted }: { hideMuted: boolean }): Buffer {
    const { buffer } = this;
    buffer.begin();
    const viewer = this.viewer(viewerId);
    const halves = new Int32Array(statusIds.buffer, statusIds.byteOffset, 2 * statusIds.length);
    for (let index = 0; index < statusIds.length; index += 1) {
      const status = this.statuses.find(halves[2 * index]!, halves[2 * index + 1]!) ?? this.status(statusIds[index]!);
      if (status !== undefined && !(hideMuted && isHidden(status, viewer))) this.add(status, viewer);
    }
    if (buffer.length === 0) return emptyPage;
    buffer.overwrite(0, openBracket);
    buffer.append(listEnd);
    return buffer.page;
  }

  /** Appends a separator and the entity, or nothing. */
  private add(status: EncodedStatus, viewer: PageViewer): boolean {
    if (!maySee(status, viewer ?? anonymous)) return false;
    const text = status.textWith(status.account ?? this.account(status.accountId));
    if (text === undefined) return false;
    const { buffer } = this;
    const before = buffer.length;
    buffer.append(text);
    const marks = marksOfStatus(status, viewer);
    if (status.reblogOfId === undefined) {
      if (marks === noMarks) return true;
      buffer.truncate(buffer.length - noMarks.length);
    } else {
      const separator = buffer.length;
      const reblogged = this.statuses.find(status.subjectLow, status.subjectHigh) ?? this.status(status.reblogOfId);
      if (reblogged === undefined || !this.add(reblogged, viewer)) {
        buffer.truncate(before);
        return false;
      }
      buffer.overwrite(separator, colon);
      buffer.append(comma);
    }
    buffer.append(marks);
    return true;
  }

  private viewer(viewerId: Id | undefined): PageViewer {
    return viewerId === undefined ? undefined : this.viewers.of(viewerId).at(this.options.now());
  }

  private status(statusId: Id): EncodedStatus | undefined {
    const known = this.statuses.get(statusId);
    if (known !== undefined) return known;
    const view = findStatus(this.options.snapshots, statusId);
    if (view === undefined) return undefined;
    const encoded = new EncodedStatus(view, this.options.addresses);
    this.statuses.set(statusId, encoded);
    return encoded;
  }

  private account(accountId: Id): EncodedAccount {
    const known = this.accounts.get(accountId);
    if (known !== undefined) return known;
    const encoded = new EncodedAccount(findAccount(this.options.snapshots, accountId), this.options.addresses);
    this.accounts.set(accountId, encoded);
    return encoded;
  }

  private changed(batch: EventBatch): void {
    for (const event of batch.events) {
      if (isEvent(event, statusPublished)) this.accounts.delete(event.body.accountId);
      else if (isEvent(event, statusCounted)) this.statuses.delete(event.body.id);
      else if (isEvent(event, statusEdited)) this.statuses.delete(event.body.id);
      else if (isEvent(event, statusDeleted)) {
        this.statuses.delete(event.body.id);
        this.accounts.delete(event.body.accountId);
      } else if (isEvent(event, accountCounted) || isEvent(event, profileChanged))
        this.accounts.delete(event.body.accountId);
      else if (isEvent(event, marked)) this.viewers.forgetMark(event.body.accountId, event.body.statusId);
      else if (isEvent(event, sightChanged)) this.viewers.forgetHidden(event.body.accountId);
    }
  }

  private clear(): void {
    this.statuses.clear();
    this.accounts.clear();
    this.viewers.clear();
  }
}

function isHidden({ accountId, reblogOfAccountId }: EncodedStatus, viewer: PageViewer): boolean {
  if (viewer === undefined) return false;
  if (viewer.hides(accountId)) return true;
  return reblogOfAccountId !== undefined && viewer.hides(reblogOfAccountId);
}

function marksOfStatus(status: EncodedStatus, viewer: PageViewer): Buffer {
  if (viewer === undefined) return withoutViewer;
  const { favourited, reblogged } = viewer.marks(status);
  const own = status.accountId === viewer.accountId && status.reblogOfId === undefined;
  return withViewer[(favourited ? 1 : 0) | (reblogged ? 2 : 0) | (own ? 4 : 0)]!;
}
