/**
 * Events for open pages besides the streams of the API: all posts of one author, the replies in one thread, and the
 * sign-out of a browser. Pages register the ids they need, so that the cost of an event does not depend on the number
 * of open pages.
 */
import {
  type StatusFacts,
  statusDeleted,
  statusEdited,
  statusPublished,
} from '../../../actors/account/statuses/statuses.events.ts';
import { replyAttached } from '../../../actors/account/threads/threads.events.ts';
import { browserSessionClosed, loginChanged } from '../../../actors/session/session.events.ts';
import { isEvent, type LoggedEvent } from '../../../runtime/events/event.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { Services } from '../../../services/services.ts';

export type StatusListener = (news: 'published' | 'edited' | 'deleted', statusId: Id) => void;
type SignOutListener = () => void;

const statusNews = [
  [statusPublished, 'published'],
  [replyAttached, 'published'],
  [statusEdited, 'edited'],
  [statusDeleted, 'deleted'],
] as const;

/** One for each gateway thread. */
export class PageNews {
  /** By the id of an author, of a status, or of a parent. */
  readonly statuses = new Listeners<Id, StatusListener>();
  /** By account. */
  readonly signOuts = new Listeners<Id, SignOutListener>();

  constructor(events: Services['events']) {
    events.subscribe((batch) => {
      // Every open page listens for its sign-out.
      if (this.signOuts.isEmpty) return;
      for (const event of batch.events) this.notifyListeners(event);
    });
  }

  private notifyListeners(event: LoggedEvent): void {
    if (isEvent(event, browserSessionClosed) || isEvent(event, loginChanged))
      for (const tell of this.signOuts.of(event.body.accountId)) tell();
    for (const [type, news] of statusNews)
      if (isEvent(event, type)) for (const tell of this.concerned(event.body)) tell(news, event.body.id);
  }

  /** Each once. */
  private concerned({ id, accountId, inReplyToId }: StatusFacts): Set<StatusListener> {
    const { statuses } = this;
    const ofParent = inReplyToId === undefined ? [] : statuses.of(inReplyToId);
    return new Set([...statuses.of(id), ...statuses.of(accountId), ...ofParent]);
  }
}

class Listeners<Key, Listener> {
  private readonly byKey = new Map<Key, Set<Listener>>();

  add(key: Key, listener: Listener): void {
    const known = this.byKey.get(key);
    if (known === undefined) this.byKey.set(key, new Set([listener]));
    else known.add(listener);
  }

  remove(key: Key, listener: Listener): void {
    const known = this.byKey.get(key);
    known?.delete(listener);
    if (known?.size === 0) this.byKey.delete(key);
  }

  get isEmpty(): boolean {
    return this.byKey.size === 0;
  }

  /** A copy: a listener may leave while it is called. */
  of(key: Key): readonly Listener[] {
    return [...(this.byKey.get(key) ?? [])];
  }
}
