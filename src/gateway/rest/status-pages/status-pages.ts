/**
 * Statuses as bytes, as one viewer sees them: encoded once, the viewer's part spliced in. What it shows is what
 * `renderStatus` would give (a test compares them).
 *
 * INVARIANT an entry is dropped by the event of whatever changes it; events are dispatched after the snapshots were
 * renewed, so nothing that is older than an event can be cached after it.
 */
import {
  accountCounted,
  marked,
  profileChanged,
  sightChanged,
  statusCounted,
  statusDeleted,
  statusEdited,
  statusPublished,
} from '../../../actors/account/account.events.ts';
import { findAccount, findStatus, type StatusMarks, viewerOf } from '../../../actors/account/statuses.queries.ts';
import { maySee, type Viewer } from '../../../actors/policy/visibility.ts';
import { type EventBatch, isEvent } from '../../../runtime/events/event.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { Snapshots } from '../../../runtime/storage/snapshots.ts';
import type { Addresses } from '../../addresses.ts';
import type { EventHub } from '../../event-hub.ts';
import { ByteCache } from './byte-cache.ts';
import { type EncodedAccount, type EncodedStatus, encodeAccount, encodeStatus } from './encoded-status.ts';
import { statusPageLimits } from './limits.ts';
import { Viewers } from './viewers.ts';

export interface StatusPagesOptions {
  readonly snapshots: Snapshots;
  readonly addresses: Addresses;
  readonly events: EventHub;
  now(): number;
}

const accountStart = Buffer.from('{"account":');
const noReblog = Buffer.from('"reblog":null,');
const reblogStart = Buffer.from('"reblog":');
const comma = Buffer.from(',');
const listStart = Buffer.from('[');
const listEnd = Buffer.from(']');
/** What a page is when nothing of it is shown: this very buffer. */
export const emptyPage = Buffer.from('[]');

function marksJson(favourited: boolean, reblogged: boolean, own: boolean): Buffer {
  const pinned = own ? '"pinned":false,' : '';
  return Buffer.from(
    `"favourited":${favourited},"reblogged":${reblogged},"muted":false,"bookmarked":false,${pinned}"filtered":[]}`,
  );
}

const withoutViewer = Buffer.from('"filtered":[]}');
/** By favourited, reblogged, own as bits. */
const withViewer = Array.from({ length: 8 }, (_, bits) =>
  marksJson((bits & 1) !== 0, (bits & 2) !== 0, (bits & 4) !== 0),
);

export class StatusPages {
  private readonly options: StatusPagesOptions;
  private readonly statuses = new ByteCache<Id, EncodedStatus>(statusPageLimits.statusBytesMax);
  private readonly accounts = new ByteCache<Id, EncodedAccount>(statusPageLimits.accountBytesMax);
  private readonly viewers: Viewers;

  constructor(options: StatusPagesOptions) {
    this.options = options;
    this.viewers = new Viewers(options.snapshots);
    options.events.subscribe((batch) => this.changed(batch));
    options.events.onLoss(() => this.clear());
  }

  /** The entity of one status; undefined when it does not exist for this viewer. */
  one(statusId: Id, viewerId: Id | undefined): Buffer | undefined {
    const parts: Buffer[] = [];
    return this.add(parts, statusId, viewerId, this.viewer(viewerId)) ? Buffer.concat(parts) : undefined;
  }

  /**
   * A JSON array of the statuses that the viewer may see. With `hideMuted`, those of muted accounts are left out too, as
   * author or as the one who is reblogged.
   */
  page(statusIds: Iterable<Id>, viewerId: Id | undefined, options: { hideMuted: boolean }): Buffer {
    const viewer = this.viewer(viewerId);
    const parts: Buffer[] = [listStart];
    for (const id of statusIds) {
      if (options.hideMuted && viewerId !== undefined && this.isHidden(id, viewerId)) continue;
      const before = parts.length;
      if (before > 1) parts.push(comma);
      if (!this.add(parts, id, viewerId, viewer)) parts.length = before;
    }
    if (parts.length === 1) return emptyPage;
    parts.push(listEnd);
    return Buffer.concat(parts);
  }

  private add(parts: Buffer[], statusId: Id, viewerId: Id | undefined, viewer: Viewer): boolean {
    const status = this.status(statusId);
    if (status === undefined || !maySee(status, viewer)) return false;
    const account = this.account(status.accountId).json;
    if (account === undefined) return false;
    const start = parts.length;
    parts.push(accountStart, account, status.body);
    if (status.reblogOfId === undefined) parts.push(noReblog);
    else {
      parts.push(reblogStart);
      if (!this.add(parts, status.reblogOfId, viewerId, viewer)) {
        parts.length = start;
        return false;
      }
      parts.push(comma);
    }
    parts.push(viewerId === undefined ? withoutViewer : this.marks(status, viewerId));
    return true;
  }

  private marks(status: EncodedStatus, viewerId: Id): Buffer {
    const subject = status.reblogOfId ?? status.id;
    const { favourited, reblogged }: StatusMarks = this.viewers.marks(viewerId, subject);
    const own = status.accountId === viewerId && status.reblogOfId === undefined;
    return withViewer[(favourited ? 1 : 0) | (reblogged ? 2 : 0) | (own ? 4 : 0)]!;
  }

  private isHidden(statusId: Id, viewerId: Id): boolean {
    const status = this.status(statusId);
    if (status === undefined) return true;
    const now = this.options.now();
    if (this.viewers.hides(viewerId, status.accountId, now)) return true;
    return status.reblogOfAccountId !== undefined && this.viewers.hides(viewerId, status.reblogOfAccountId, now);
  }

  /** As `viewerOf`, with what is hidden from memory: everything that hides includes every block. */
  private viewer(viewerId: Id | undefined): Viewer {
    const { snapshots, now } = this.options;
    const asked = viewerOf(snapshots, viewerId, now());
    if (viewerId === undefined) return asked;
    return { ...asked, blocks: (other) => this.viewers.hides(viewerId, other, now()) && asked.blocks(other) };
  }

  private status(statusId: Id): EncodedStatus | undefined {
    const known = this.statuses.get(statusId);
    if (known !== undefined) return known;
    const view = findStatus(this.options.snapshots, statusId);
    if (view === undefined) return undefined;
    const encoded = encodeStatus(view, this.options.addresses);
    this.statuses.set(statusId, encoded);
    return encoded;
  }

  private account(accountId: Id): EncodedAccount {
    const known = this.accounts.get(accountId);
    if (known !== undefined) return known;
    const encoded = encodeAccount(findAccount(this.options.snapshots, accountId), this.options.addresses);
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
