/** The replies of a thread; replies to replies are indented. */
import type { PresentedStatus } from '../../../operations/presentation/presented-status.ts';
import type { Id } from '../../../runtime/ids.ts';
import { type Html, html } from '../../../services/words/html.ts';
import { webLimits } from '../limits.ts';
import type { Visit } from '../visit.ts';
import { article } from './status.ts';

/** One deeper than the parent, up to a bound; `depths` has -1 for the status above all replies. */
export function answerDepth(depths: ReadonlyMap<Id, number>, inReplyToId: Id | undefined): number {
  const above = inReplyToId === undefined ? undefined : depths.get(inReplyToId);
  return Math.min((above ?? -1) + 1, webLimits.threadIndentationMax);
}

/** Carries the id of its parent, so that an open page knows where to insert it. */
export function answerEntry(visit: Visit, view: PresentedStatus, depth: number): Html {
  const { id, inReplyToId } = view.status;
  return html`<li class="entry depth-${depth}" id="status-${id}" data-answers="status-${inReplyToId}">${article(visit, view, id)}</li>`;
}

/** In the order of the thread. */
export function answerEntries(visit: Visit, root: PresentedStatus, answers: readonly PresentedStatus[]): Html[] {
  const statuses = answers.map(({ status }) => status);
  const depths = answerDepths(root.status.id, statuses);
  return answers.map((view) => answerEntry(visit, view, depths.get(view.status.id)!));
}

/** Whether more of a thread may come from other servers: an open page replaces it by its id. */
export function threadNotice({ words }: Visit, isFetched: boolean): Html {
  return html`<p class="empty" id="thread-notice" role="status"${!isFetched && html` hidden`}>${isFetched && words.posts.thread.fetching}</p>`;
}

type Answer = Pick<PresentedStatus['status'], 'id' | 'inReplyToId'>;

/**
 * One deeper than the parent, up to a bound; -1 for the status above all. An answer whose parent is not among those that
 * lead to the one above it begins anew: deeper it would seem to answer that one.
 */
export function answerDepths(rootId: Id, answers: readonly Answer[]): Map<Id, number> {
  const depths = new Map<Id, number>([[rootId, -1]]);
  const path: Id[] = [];
  for (const { id, inReplyToId } of answers) {
    path.length = inReplyToId === undefined ? 0 : path.lastIndexOf(inReplyToId) + 1;
    depths.set(id, Math.min(path.length, webLimits.threadIndentationMax));
    path.push(id);
  }
  return depths;
}
