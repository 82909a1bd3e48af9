/**
 * GET /web/live: new entries for a list that is open, as server-sent events whose data is the markup of the entry, made
 * by the same code as the page, so that the page's script builds no HTML; and how many notifications are unread.
 *
 * Why this is not the streaming API with a token: a token in a page can be stolen by whatever runs in it, stands in the
 * address of an EventSource and so in logs, does not end with the session, and takes one of the places that the account
 * has for its applications. Here the browser's own cookie is asked, as for every page: no script can read it; other sites
 * can neither send it along (SameSite) nor read the answer (no CORS headers); Sec-Fetch-Site is checked besides.
 *
 * 1. The session is looked up again before anything is sent: signing out, a new password, a suspension end the stream.
 * 2. Nothing is missed for long: when a page connects (again), a moment later, and with every heartbeat, the list
 *    is compared with what was sent. Event ids are those of entries, so that the browser itself says where it was.
 */
import { Failure } from '../../runtime/errors.ts';
import { type Id, parseId } from '../../runtime/ids.ts';
import type { GatewayServices } from '../gateway-services.ts';
import { type AnswerSink, stream } from '../http/answers.ts';
import type { UserGrant } from '../http/grant.ts';
import type { IncomingRequest } from '../http/request.ts';
import { browserOf } from '../oauth/browser.ts';
import { queryFields } from '../oauth/forms.ts';
import { type RawRoute, rawRoute } from '../route.ts';
import type { StreamFrame } from '../streaming/frame.ts';
import type { StreamHub } from '../streaming/hub.ts';
import type { Connection, Subscriber } from '../streaming/subscriber.ts';
import { webLimits } from './limits.ts';
import { accountChannel, editedEntry, type LiveEntry, type LiveList, liveListOf } from './live-lists.ts';
import { unreadWords } from './parts/notification.ts';
import { type MemberVisit, visitWithoutForms } from './visit.ts';

const pageScopes: ReadonlySet<string> = new Set(['read:statuses', 'read:notifications']);

/** The hub comes later than the declaration, so it is asked for. */
export function liveRoute(hubOf: () => StreamHub): RawRoute<GatewayServices> {
  return rawRoute<GatewayServices>({
    method: 'GET',
    path: '/web/live',
    handler({ request, services }) {
      const site = request.header('sec-fetch-site');
      if (site !== undefined && site !== 'same-origin') throw new Failure('forbidden');
      const { account } = browserOf(services, request);
      if (account === undefined) throw new Failure('tokenRequired');
      const fields = queryFields(request.query);
      const list = liveListOf(fields.get('list'));
      if (list === undefined) throw new Failure('notFound');
      const since = parseId(request.header('last-event-id') ?? fields.get('since') ?? '') ?? 0n;
      const page = { list, accountId: account.id, since, unread: fields.get('unread') };
      const hub = hubOf();
      const address = hub.admit(account.id, request.ip);
      return stream({
        contentType: 'text/event-stream',
        headers: { 'Cache-Control': 'private, no-store', 'X-Accel-Buffering': 'no' },
        open: (sink) => new LivePage(services, request, sink, { ...page, address }).open(hub),
      });
    },
  });
}

interface OpenPage {
  readonly list: LiveList;
  readonly accountId: Id;
  readonly address: string | undefined;
  /** The newest entry that the page has. */
  readonly since: Id;
  /** The number of unread notifications that the page shows; undefined where it shows none. */
  readonly unread: string | undefined;
}

/** What looks the same to all who get it but its owner is rendered once for all open pages of a list. */
const renderedFrames = new WeakMap<StreamFrame, Map<LiveList, LiveEntry>>();

class LivePage implements Connection {
  readonly grant: UserGrant;
  readonly address: string | undefined;
  private readonly services: GatewayServices;
  private readonly request: IncomingRequest;
  private readonly sink: AnswerSink;
  private readonly list: LiveList;
  private checkedTo: Id;
  private unread: string | undefined;
  /** Since the last check. */
  private readonly sent = new Set<Id>();
  /** False while the socket's buffer is full: what is not sent then, the next check finds. */
  private hasRoom = true;

  constructor(services: GatewayServices, request: IncomingRequest, sink: AnswerSink, page: OpenPage) {
    const { list, accountId, address, since, unread } = page;
    this.list = list;
    this.address = address;
    this.services = services;
    this.request = request;
    this.sink = sink;
    this.checkedTo = since;
    this.unread = unread === '0' ? '' : unread;
    // The session takes the place of a token; the hub only needs to know whose page it is, and what for.
    this.grant = { tokenId: '', accountId, applicationId: 0n, scopes: pageScopes, dialect: services.options.dialect };
  }

  /** Returns what is to be done when the page is gone. */
  open(hub: StreamHub): () => void {
    this.sink.onDrain(() => {
      this.hasRoom = true;
    });
    this.write(':\n\n');
    hub.connected(this);
    const channels = new Set([accountChannel, this.list.channel]);
    const subscribers = Array.from(channels, (channel) => hub.subscribe(this, channel));
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
      hub.disconnected(this);
    };
  }

  deliver({ channel }: Subscriber, frame: StreamFrame): void {
    this.guarded((visit) => {
      if (frame.event === 'notification') this.notified(visit);
      else if (channel !== this.list.channel) return;
      else if (frame.event === 'delete') this.send('delete', undefined, frame.payload?.json ?? '');
      else if (frame.event === 'status.update') this.sendEntry(visit, frame.statusId!, 'edit');
      else if (frame.event === 'update' && this.list.carriesStatuses) this.sendArrival(visit, frame);
    });
  }

  close(): void {
    this.sink.end();
  }

  private notified(visit: MemberVisit): void {
    if (this.list.carriesStatuses) this.tellUnread(visit);
    else this.check();
  }

  private tellUnread(visit: MemberVisit): void {
    if (this.unread === undefined) return;
    const unread = unreadWords(visit);
    if (unread !== this.unread) this.send('unread', undefined, unread);
    this.unread = unread;
  }

  private check(): void {
    this.guarded((visit) => {
      this.tellUnread(visit);
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
    this.checkedTo = ids[0] ?? this.checkedTo;
    // What came while the list was being read may be newer than what was found.
    for (const id of this.sent) if (id <= this.checkedTo) this.sent.delete(id);
    if (ids[0] !== undefined) this.list.seen?.(visit, ids[0]).catch((error: unknown) => this.fail(error));
  }

  /** Runs what sends something, if the browser is still signed in. What is thrown ends this stream and no other. */
  private guarded(work: (visit: MemberVisit) => void): void {
    const { services } = this;
    try {
      const { account } = browserOf(services, this.request);
      if (account?.id !== this.grant.accountId) this.sink.end();
      else work({ ...visitWithoutForms({ request: this.request, services }, account), account });
    } catch (error) {
      this.fail(error);
    }
  }

  private fail(error: unknown): void {
    this.services.report({ level: 'error', message: 'a live page was ended', error });
    this.sink.end();
  }

  private sendArrival(visit: MemberVisit, frame: StreamFrame): void {
    const rendered = renderedFrames.get(frame) ?? new Map<LiveList, LiveEntry>();
    renderedFrames.set(frame, rendered);
    const known = rendered.get(this.list);
    if (known !== undefined && known.ownerId !== this.grant.accountId) {
      this.send('arrival', known.id, known.markup);
      return;
    }
    const entry = this.sendEntry(visit, frame.statusId!, 'arrival');
    if (entry !== undefined && entry.ownerId !== this.grant.accountId) rendered.set(this.list, entry);
  }

  private sendEntry(visit: MemberVisit, id: Id, event: 'arrival' | 'edit'): LiveEntry | undefined {
    const entry = event === 'edit' ? editedEntry(visit, id) : this.list.entry(visit, id);
    if (entry !== undefined) this.send(event, id, entry.markup);
    return entry;
  }

  private send(event: string, id: Id | undefined, data: string): void {
    if (event === 'arrival' && id !== undefined && this.hasRoom) this.sent.add(id);
    const place = event === 'arrival' ? `id: ${id}\n` : '';
    this.write(`${place}event: ${event}\ndata: ${data.replaceAll(/\r\n?|\n/g, '\ndata: ')}\n\n`);
  }

  private write(text: string): void {
    if (this.hasRoom) this.hasRoom = this.sink.write(text);
  }
}
