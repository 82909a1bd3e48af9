/**
 * GET /web/live: new posts for a home page that is open, as server-sent events whose data is the markup of the entry, made
 * by the same code as the page, so that the page's script builds no HTML.
 *
 * Why this is not the streaming API with a token: a token in a page can be stolen by whatever runs in it, stands in the
 * address of an EventSource and so in logs, does not end with the session, and takes one of the places that the account
 * has for its applications. Here the browser's own cookie is asked, as for every page: no script can read it; other sites
 * can neither send it along (SameSite) nor read the answer (no CORS headers); Sec-Fetch-Site is checked besides.
 *
 * 1. The session is looked up again before anything is sent: signing out, a new password, a suspension end the stream.
 * 2. Nothing is missed for long: when a page connects (again), a moment later, and with every heartbeat, the home
 *    timeline is compared with what was sent. Event ids are status ids, so that the browser itself says where it was.
 */
import { Failure } from '../../runtime/errors.ts';
import { type Id, parseId } from '../../runtime/ids.ts';
import type { HomePage } from '../../services/feeds.ts';
import type { GatewayServices } from '../gateway-services.ts';
import { type AnswerSink, stream } from '../http/answers.ts';
import type { UserGrant } from '../http/grant.ts';
import type { IncomingRequest } from '../http/request.ts';
import { browserOf } from '../oauth/browser.ts';
import { queryFields } from '../oauth/forms.ts';
import { type RawRoute, rawRoute } from '../route.ts';
import { channelOf } from '../streaming/channels.ts';
import type { StreamFrame } from '../streaming/frame.ts';
import type { StreamHub } from '../streaming/hub.ts';
import type { Connection, Subscriber } from '../streaming/subscriber.ts';
import { webLimits } from './limits.ts';
import { entry } from './parts/status.ts';
import { homeStatus } from './statuses.ts';
import { type Visit, visitWithoutForms } from './visit.ts';

const homeChannel = channelOf('user')!;
const pageScopes: ReadonlySet<string> = new Set(['read:statuses']);

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
      const given = request.header('last-event-id') ?? queryFields(request.query).get('since');
      const since = parseId(given ?? '') ?? 0n;
      const hub = hubOf();
      const address = hub.admit(account.id, request.ip);
      return stream({
        contentType: 'text/event-stream',
        headers: { 'Cache-Control': 'private, no-store', 'X-Accel-Buffering': 'no' },
        open: (sink) => new LivePage(services, request, sink, account.id, address, since).open(hub),
      });
    },
  });
}

interface RenderedEntry {
  readonly id: Id;
  readonly authorId: Id;
  readonly markup: string;
}

/** A new post looks the same to all who get it but its author: it is rendered once for all open pages. */
const renderedFrames = new WeakMap<StreamFrame, RenderedEntry>();

class LivePage implements Connection {
  readonly grant: UserGrant;
  readonly address: string | undefined;
  private readonly services: GatewayServices;
  private readonly request: IncomingRequest;
  private readonly sink: AnswerSink;
  private checkedTo: Id;
  /** Since the last check. */
  private readonly sent = new Set<Id>();
  /** False while the socket's buffer is full: what is not sent then, the next check finds. */
  private hasRoom = true;

  constructor(
    services: GatewayServices,
    request: IncomingRequest,
    sink: AnswerSink,
    accountId: Id,
    address: string | undefined,
    since: Id,
  ) {
    this.address = address;
    this.services = services;
    this.request = request;
    this.sink = sink;
    this.checkedTo = since;
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
    const subscriber = hub.subscribe(this, homeChannel);
    this.check();
    const first = setTimeout(() => this.check(), webLimits.firstCheckMilliseconds);
    const beat = setInterval(() => {
      this.write(':\n\n');
      this.check();
    }, webLimits.checkMilliseconds);
    return () => {
      clearTimeout(first);
      clearInterval(beat);
      hub.unsubscribe(subscriber);
      hub.disconnected(this);
    };
  }

  deliver(_subscriber: Subscriber, frame: StreamFrame): void {
    this.guarded((visit) => {
      if (frame.event === 'delete') this.send('delete', undefined, frame.payload?.json ?? '');
      else if (frame.event === 'update') this.sendArrival(visit, frame);
      else if (frame.event === 'status.update') this.sendEntry(visit, frame.statusId!, 'edit');
    });
  }

  close(): void {
    this.sink.end();
  }

  private check(): void {
    this.guarded((visit) => {
      const bounds = { sinceId: this.checkedTo, limit: webLimits.caughtUpStatusesMax + 1 };
      const home = this.services.feeds.home(this.grant.accountId, bounds);
      if (home instanceof Promise) this.catchUpLater(home);
      else this.catchUp(visit, home);
    });
  }

  private catchUpLater(home: Promise<HomePage>): void {
    home.then(
      (merged) => this.guarded((visit) => this.catchUp(visit, merged)),
      (error: unknown) => this.fail(error),
    );
  }

  private catchUp(visit: Visit, { ids }: HomePage): void {
    if (ids.length > webLimits.caughtUpStatusesMax) this.send('gap', undefined, '');
    else for (const id of ids.toReversed()) if (!this.sent.has(id)) this.sendEntry(visit, id, 'arrival');
    this.checkedTo = ids[0] ?? this.checkedTo;
    // What came while the home was being merged may be newer than what was found.
    for (const id of this.sent) if (id <= this.checkedTo) this.sent.delete(id);
  }

  /** Runs what sends something, if the browser is still signed in. What is thrown ends this stream and no other. */
  private guarded(work: (visit: Visit) => void): void {
    const { services } = this;
    try {
      const { account } = browserOf(services, this.request);
      if (account?.id === this.grant.accountId) work(visitWithoutForms({ request: this.request, services }, account));
      else this.sink.end();
    } catch (error) {
      this.fail(error);
    }
  }

  private fail(error: unknown): void {
    this.services.report({ level: 'error', message: 'a live page was ended', error });
    this.sink.end();
  }

  private sendArrival(visit: Visit, frame: StreamFrame): void {
    const known = renderedFrames.get(frame);
    if (known !== undefined && known.authorId !== this.grant.accountId) {
      this.send('arrival', known.id, known.markup);
      return;
    }
    const rendered = this.sendEntry(visit, frame.statusId!, 'arrival');
    if (rendered !== undefined && rendered.authorId !== this.grant.accountId) renderedFrames.set(frame, rendered);
  }

  private sendEntry(visit: Visit, id: Id, event: 'arrival' | 'edit'): RenderedEntry | undefined {
    const view = homeStatus(visit, id);
    if (view === undefined) return undefined;
    const { markup } = entry(visit, view);
    this.send(event, id, markup);
    return { id, authorId: view.status.accountId, markup };
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
