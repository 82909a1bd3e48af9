/**
 * An open page with a live stream: what is sent to it, and when.
 *
 * 1. The session is looked up again before anything is sent: signing out, a new password or a suspension ends the
 *    stream.
 * 2. Nothing is missed for long: when a page connects (again), a moment later, and at every heartbeat, the list is
 *    compared with what was sent. Event ids are those of entries, so the browser itself reports where it was.
 */
import { findAccount } from '../../../actors/account/profile/profiles.queries.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { Words } from '../../../services/words/languages.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import type { AnswerSink } from '../../http/answers.ts';
import type { IncomingRequest } from '../../http/request.ts';
import { browserOf } from '../../oauth/browser.ts';
import type { StreamFrame } from '../../streaming/frame.ts';
import type { StreamHub } from '../../streaming/hub.ts';
import type { Connection, StreamRights, Subscriber } from '../../streaming/subscriber.ts';
import { webLimits } from '../limits.ts';
import { ownSummary } from '../parts/aside.ts';
import { unreadWords } from '../parts/notification.ts';
import { type MemberVisit, visitWithoutForms } from '../visit.ts';
import { accountChannel, editedEntry, hasOwnLook, type LiveEntry, type LiveList } from './live-lists.ts';
import type { PageNews, StatusListener } from './page-news.ts';

const pageScopes: ReadonlySet<string> = new Set(['read:statuses', 'read:notifications']);

export interface OpenPage {
  readonly list: LiveList;
  readonly news: PageNews;
  readonly accountId: Id;
  readonly address: string | undefined;
  /** Of what its request causes, where it is traced. */
  readonly cause: string | undefined;
  /** The newest entry on the page. */
  readonly since: Id;
  /** The number of unread notifications shown by the page; undefined where it shows none. */
  readonly unread: string | undefined;
}

/** Entries that look the same to all recipients are rendered once for all open pages of a list, in each language. */
const renderedFrames = new WeakMap<StreamFrame, Map<Words, Map<LiveList, LiveEntry>>>();

function renderedIn(words: Words, frame: StreamFrame): Map<LiveList, LiveEntry> {
  const byWords = renderedFrames.get(frame) ?? new Map<Words, Map<LiveList, LiveEntry>>();
  renderedFrames.set(frame, byWords);
  const entries = byWords.get(words) ?? new Map<LiveList, LiveEntry>();
  byWords.set(words, entries);
  return entries;
}

export class LivePage implements Connection {
  readonly grant: StreamRights;
  readonly address: string | undefined;
  private readonly services: GatewayServices;
  private readonly request: IncomingRequest;
  private readonly cause: string | undefined;
  private readonly sink: AnswerSink;
  private readonly list: LiveList;
  private readonly news: PageNews;
  /** Ids whose events this page gets. */
  private readonly watchedIds = new Set<Id>();
  private checkedTo: Id;
  /** Of its entries: where a browser that comes back goes on, whatever old one came last. */
  private newest: Id;
  private unread: string | undefined;
  /** The counts on the visitor's own card, as the page shows them. */
  private ownCounts: string | undefined;
  /** What the page says of entries that may still come. */
  private progress: string | undefined;
  /** Since the last check. */
  private readonly sent = new Set<Id>();
  /** False while the socket's buffer is full: the next check finds what is not sent then. */
  private hasRoom = true;

  constructor(services: GatewayServices, request: IncomingRequest, sink: AnswerSink, page: OpenPage) {
    const { list, news, accountId, address, cause, since, unread } = page;
    this.cause = cause;
    this.list = list;
    this.news = news;
    this.address = address;
    this.services = services;
    this.request = request;
    this.sink = sink;
    this.checkedTo = since;
    this.newest = since;
    this.unread = unread === '0' ? '' : unread;
    this.grant = { accountId, scopes: pageScopes };
  }

  /** Returns the cleanup for when the page is closed. */
  open(hub: StreamHub): () => void {
    const { accountId } = this.grant;
    this.sink.onDrain(() => {
      this.hasRoom = true;
    });
    this.write(':\n\n');
    hub.connected(this);
    const channels = new Set([accountChannel, this.list.channel ?? accountChannel]);
    const subscribers = Array.from(channels, (channel) => hub.subscribe(this, channel));
    this.news.signOuts.add(accountId, this.onSignOut);
    this.watchMore();
    this.check();
    const first = setTimeout(() => this.check(), webLimits.firstCheckMilliseconds);
    const beat = setInterval(() => {
      this.write(':\n\n');
      this.check();
    }, webLimits.checkMilliseconds);
    return () => {
      clearTimeout(first);
      clearInterval(beat);
      for (const subscriber of subscribers) hub.unsubscribe(subscriber);
      this.news.signOuts.remove(accountId, this.onSignOut);
      for (const id of this.watchedIds) this.news.statuses.remove(id, this.onStatus);
      hub.disconnected(this);
    };
  }

  private watchMore(): void {
    for (const id of this.list.watched?.() ?? []) {
      if (this.watchedIds.has(id)) continue;
      this.watchedIds.add(id);
      this.news.statuses.add(id, this.onStatus);
    }
  }

  private readonly onStatus: StatusListener = (news, id) => {
    this.guarded((visit) => {
      if (news === 'deleted') this.sendDeletion(visit, id.toString());
      else if (news === 'edited') this.sendEntry(visit, id, 'edit');
      else this.sendEntry(visit, id, 'arrival');
    });
  };

  private readonly onSignOut = (): void => this.guarded(() => undefined);

  deliver({ channel }: Subscriber, frame: StreamFrame): void {
    this.guarded((visit) => {
      if (frame.event === 'notification') this.notified(visit);
      else if (channel !== this.list.channel) return;
      else if (frame.event === 'conversation') this.check();
      else if (frame.event === 'delete') this.sendDeletion(visit, frame.payload?.json ?? '');
      else if (frame.event === 'status.update') this.sendEntry(visit, frame.statusId!, 'edit');
      else if (frame.event === 'update' && this.list.carriesStatuses) this.sendArrival(visit, frame);
    });
  }

  close(): void {
    this.sink.end();
  }

  private notified(visit: MemberVisit): void {
    if (this.list.carriesStatuses) {
      this.tellUnread(visit);
      this.tellOwnCounts(visit);
    } else this.check();
  }

  /** After a post, a follow or a deletion: the card beside the page shows the counts. */
  private tellOwnCounts(visit: MemberVisit): void {
    const own = findAccount(visit.services.snapshots, visit.account.id);
    if (own === undefined) return;
    const { statuses, following, followers } = own.counters;
    const counts = [statuses, following, followers].join();
    if (this.ownCounts !== undefined && this.ownCounts !== counts)
      this.send('piece', undefined, ownSummary(visit, own).markup);
    this.ownCounts = counts;
  }

  private sendDeletion(visit: MemberVisit, id: string): void {
    this.send('delete', undefined, id);
    this.tellOwnCounts(visit);
  }

  private tellUnread(visit: MemberVisit): void {
    if (this.unread === undefined) return;
    const unread = unreadWords(visit);
    if (unread !== this.unread) this.send('unread', undefined, unread);
    this.unread = unread;
  }

  private tellProgress(visit: MemberVisit): void {
    const progress = this.list.progress?.(visit).markup;
    if (progress !== undefined && progress !== this.progress) this.send('piece', undefined, progress);
    this.progress = progress;
  }

  private check(): void {
    this.guarded((visit) => {
      this.tellUnread(visit);
      this.tellProgress(visit);
      const found = this.list.since(visit, this.checkedTo, webLimits.caughtUpStatusesMax + 1);
      if (found instanceof Promise) this.catchUpLater(found);
      else this.catchUp(visit, found);
    });
  }

  private catchUpLater(found: Promise<readonly Id[]>): void {
    found.then(
      (ids) => this.guarded((visit) => this.catchUp(visit, ids)),
      (error: unknown) => this.fail(error),
    );
  }

  private catchUp(visit: MemberVisit, ids: readonly Id[]): void {
    if (ids.length > webLimits.caughtUpStatusesMax) this.send('gap', undefined, '');
    else for (const id of ids.toReversed()) if (!this.sent.has(id)) this.sendEntry(visit, id, 'arrival');
    if (ids[0] !== undefined && ids[0] > this.checkedTo) this.checkedTo = ids[0];
    this.watchMore();
    this.tellOwnCounts(visit);
    // Entries that arrived while the list was being read may be newer than those found.
    for (const id of this.sent) if (id <= this.checkedTo) this.sent.delete(id);
    if (ids[0] !== undefined) this.list.seen?.(visit, ids[0]).catch((error: unknown) => this.fail(error));
  }

  /** Runs something that sends, if the browser is still signed in. An error ends this stream only. */
  private guarded(work: (visit: MemberVisit) => void): void {
    const { services } = this;
    const context = { services, request: this.request, cause: this.cause };
    try {
      const { account } = browserOf(services, this.request);
      if (account?.id !== this.grant.accountId) this.sink.end();
      else work({ ...visitWithoutForms(context, account), account });
    } catch (error) {
      this.fail(error);
    }
  }

  private fail(error: unknown): void {
    this.services.report({ level: 'error', message: 'the stream of an open page was closed after an error', error });
    this.sink.end();
  }

  private sendArrival(visit: MemberVisit, frame: StreamFrame): void {
    const rendered = renderedIn(visit.words, frame);
    const known = rendered.get(this.list);
    if (known !== undefined && known.ownerId !== this.grant.accountId && !hasOwnLook(visit)) {
      this.send('arrival', known.id, known.markup);
      return;
    }
    const entry = this.sendEntry(visit, frame.statusId!, 'arrival');
    if (entry?.isShared === true && entry.ownerId !== this.grant.accountId) rendered.set(this.list, entry);
  }

  private sendEntry(visit: MemberVisit, id: Id, event: 'arrival' | 'edit'): LiveEntry | undefined {
    const entry = event === 'edit' ? editedEntry(visit, this.list, id) : this.list.entry(visit, id);
    if (entry === undefined) return undefined;
    this.send(event, id, entry.markup);
    this.watchMore();
    if (entry.ownerId === visit.account.id) this.tellOwnCounts(visit);
    return entry;
  }

  private send(event: string, id: Id | undefined, data: string): void {
    const isArrival = event === 'arrival' && id !== undefined;
    if (isArrival && this.hasRoom) this.sent.add(id);
    if (isArrival && id > this.newest) this.newest = id;
    const place = isArrival ? `id: ${this.newest}\n` : '';
    this.write(`${place}event: ${event}\ndata: ${data.replaceAll(/\r\n?|\n/g, '\ndata: ')}\n\n`);
  }

  private write(text: string): void {
    if (this.hasRoom) this.hasRoom = this.sink.write(text);
  }
}
