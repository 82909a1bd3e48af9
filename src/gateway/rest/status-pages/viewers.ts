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

interface Viewer {
  hidden: HiddenAccounts | undefined;
  readonly marks: Map<Id, StatusMarks>;
}

export class Viewers {
  private readonly reader: Reader;
  private readonly viewers = new Map<Id, Viewer>();

  constructor(reader: Reader) {
    this.reader = reader;
  }

  hides(viewerId: Id, accountId: Id, now: number): boolean {
    const viewer = this.viewer(viewerId);
    viewer.hidden ??= hiddenAccounts(this.reader, viewerId);
    if (viewer.hidden.size === 0) return false;
    const until = viewer.hidden.get(accountId);
    return until !== undefined && until > now;
  }

  marks(viewerId: Id, statusId: Id): StatusMarks {
    const { marks } = this.viewer(viewerId);
    let known = marks.get(statusId);
    if (known === undefined) {
      known = marksOf(this.reader, viewerId, statusId);
      if (marks.size >= statusPageLimits.marksPerViewerMax) marks.clear();
      marks.set(statusId, known);
    }
    return known;
  }

  forgetHidden(viewerId: Id): void {
    const viewer = this.viewers.get(viewerId);
    if (viewer !== undefined) viewer.hidden = undefined;
  }

  forgetMark(viewerId: Id, statusId: Id): void {
    this.viewers.get(viewerId)?.marks.delete(statusId);
  }

  clear(): void {
    this.viewers.clear();
  }

  private viewer(viewerId: Id): Viewer {
    let viewer = this.viewers.get(viewerId);
    if (viewer === undefined) {
      if (this.viewers.size >= statusPageLimits.viewersMax) this.viewers.clear();
      viewer = { hidden: undefined, marks: new Map() };
      this.viewers.set(viewerId, viewer);
    }
    return viewer;
  }
}
