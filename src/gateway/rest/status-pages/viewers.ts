/**
 * What viewers hide and have marked, as far as it was asked: small maps per viewer, kept true by events. A page of twenty
 * statuses asks storage nothing that the page before has asked.
 */
import {
  type HiddenAccounts,
  hiddenAccounts,
  marksOf,
  type StatusMarks,
} from '../../../actors/account/statuses.queries.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { statusPageLimits } from './limits.ts';

/** What is remembered of one viewer. */
export class RememberedViewer {
  private readonly reader: Reader;
  private readonly accountId: Id;
  private readonly marked = new Map<Id, StatusMarks>();
  private hidden: HiddenAccounts | undefined;

  constructor(reader: Reader, accountId: Id) {
    this.reader = reader;
    this.accountId = accountId;
  }

  /** Whether this viewer blocks or mutes the account, or is blocked by it. */
  hides(accountId: Id, now: number): boolean {
    this.hidden ??= hiddenAccounts(this.reader, this.accountId);
    if (this.hidden.size === 0) return false;
    const until = this.hidden.get(accountId);
    return until !== undefined && until > now;
  }

  marks(statusId: Id): StatusMarks {
    const { marked } = this;
    let known = marked.get(statusId);
    if (known === undefined) {
      known = marksOf(this.reader, this.accountId, statusId);
      if (marked.size >= statusPageLimits.marksPerViewerMax) marked.clear();
      marked.set(statusId, known);
    }
    return known;
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
