/**
 * What viewers hide and have marked, as far as it was asked: small maps per viewer, kept true by events. A page of twenty
 * statuses asks storage nothing that the page before has asked.
 */
import {
  type HiddenAccounts,
  hiddenAccounts,
  marksOf,
  type StatusMarks,
  viewerOf,
} from '../../../actors/account/statuses/statuses.queries.ts';
import type { Viewer } from '../../../actors/policy/visibility.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import type { EncodedStatus } from './encoded-status.ts';
import { IdMap } from './id-map.ts';
import { statusPageLimits } from './limits.ts';

type MarkedSubject = Pick<EncodedStatus, 'subjectId' | 'subjectLow' | 'subjectHigh'>;

/** One viewer, with what is remembered: everything that hides includes every block. */
export class RememberedViewer implements Viewer {
  readonly accountId: Id;
  private readonly reader: Reader;
  private readonly marked = new IdMap<StatusMarks>();
  private hidden: HiddenAccounts | undefined;
  private now = 0;

  constructor(reader: Reader, accountId: Id) {
    this.reader = reader;
    this.accountId = accountId;
  }

  /** This viewer at this time (milliseconds since 1970), until it is asked for again. */
  at(now: number): this {
    this.now = now;
    return this;
  }

  /** Whether this viewer blocks or mutes the account, or is blocked by it. */
  hides(accountId: Id): boolean {
    this.hidden ??= hiddenAccounts(this.reader, this.accountId);
    if (this.hidden.size === 0) return false;
    const until = this.hidden.get(accountId);
    return until !== undefined && until > this.now;
  }

  follows(accountId: Id): boolean {
    return this.asked.follows(accountId);
  }

  blocks(accountId: Id): boolean {
    return this.hides(accountId) && this.asked.blocks(accountId);
  }

  mutes(accountId: Id): boolean {
    return this.hides(accountId) && this.asked.mutes(accountId);
  }

  private get asked(): Viewer {
    return viewerOf(this.reader, this.accountId, this.now);
  }

  marks({ subjectId, subjectLow, subjectHigh }: MarkedSubject): StatusMarks {
    return this.marked.find(subjectLow, subjectHigh) ?? this.readMarks(subjectId);
  }

  private readMarks(statusId: Id): StatusMarks {
    const marks = marksOf(this.reader, this.accountId, statusId);
    if (this.marked.size >= statusPageLimits.marksPerViewerMax) this.marked.clear();
    this.marked.set(statusId, marks);
    return marks;
  }

  forgetHidden(): void {
    this.hidden = undefined;
  }

  forgetMark(statusId: Id): void {
    this.marked.delete(statusId);
  }
}

export class Viewers {
  private readonly reader: Reader;
  private readonly viewers = new Map<Id, RememberedViewer>();

  constructor(reader: Reader) {
    this.reader = reader;
  }

  of(accountId: Id): RememberedViewer {
    let viewer = this.viewers.get(accountId);
    if (viewer === undefined) {
      if (this.viewers.size >= statusPageLimits.viewersMax) this.viewers.clear();
      viewer = new RememberedViewer(this.reader, accountId);
      this.viewers.set(accountId, viewer);
    }
    return viewer;
  }

  forgetHidden(accountId: Id): void {
    this.viewers.get(accountId)?.forgetHidden();
  }

  forgetMark(accountId: Id, statusId: Id): void {
    this.viewers.get(accountId)?.forgetMark(statusId);
  }

  clear(): void {
    this.viewers.clear();
  }
}
