/** Push lanes over all actors in memory, in simulated time, and push services that answer as a test says. */
import { createECDH } from 'node:crypto';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { findLocalAccount, passwordMarkOf } from '../../../src/actors/account/profile/logins.queries.ts';
import { type NewPushSubscription, pushAlerts } from '../../../src/actors/account/push/push.records.ts';
import { actors, keyspaces } from '../../../src/actors/catalogue.ts';
import { Instance, instanceKey } from '../../../src/actors/instance/instance.messages.ts';
import { pushLog } from '../../../src/actors/partition/pushes.state.ts';
import { browserKey, digestOfSecret, Session, tokenKey } from '../../../src/actors/session/session.messages.ts';
import type { Delivery, DeliveryResult } from '../../../src/outbound/fetcher/deliver.ts';
import type { Lanes } from '../../../src/outbound/lanes/lanes.ts';
import type { Verdict } from '../../../src/outbound/lanes/outcome.ts';
import { createPushLanes } from '../../../src/outbound/web-push/create-push.ts';
import type { PushDrop } from '../../../src/outbound/web-push/ports.ts';
import { EventHub } from '../../../src/services/event-hub.ts';
import { sealingKey, sealToken } from '../../../src/services/sealed-tokens.ts';
import { createTestServer } from '../../support/actors.ts';
import { roomyCaches } from '../../support/caches.ts';
import type { Person } from '../../support/observer.ts';
import { People } from '../../support/people.ts';
import { PushReceiver, readVapid } from '../../support/push-receiver.ts';
import { testServices } from '../../support/services.ts';
import { SimulatedTime } from '../lanes/simulated-time.ts';

/** What an app got, as text: ids are larger than a JavaScript number can hold. */
export interface Received {
  readonly at: number;
  readonly endpoint: string;
  readonly encoding: string;
  readonly text: string;
}

type Answer = DeliveryResult | number | { readonly status: number; readonly afterMilliseconds: number };

export interface Subscribed {
  readonly endpoint: string;
  readonly token: string;
  readonly tokenId: string;
}

export interface Wish extends Partial<Pick<NewPushSubscription, 'alerts' | 'policy' | 'isStandard'>> {
  readonly host?: string;
  /** As earlier versions stored subscriptions: without the token. */
  readonly isOld?: boolean;
}

export function answered(status: number, retryAfterMilliseconds?: number): DeliveryResult {
  return { ok: true, status, retryAfterMilliseconds };
}

const keyPair = createECDH('prime256v1');
const secrets = {
  formSecret: 'a secret of the server',
  keyPair: { publicKeyPem: '', privateKeyPem: '', createdAt: 0 },
  vapidPublicKey: keyPair.generateKeys('base64url'),
  vapidPrivateKey: keyPair.getPrivateKey('base64url'),
};

export class PushBed {
  readonly people = new People(createTestServer({ actors, keyspaces }));
  readonly server = this.people.server;
  /** What was sent, in order, the answers aside. */
  readonly sent: Received[] = [];
  readonly problems: string[] = [];
  readonly dropped: PushDrop[] = [];
  readonly verdicts: Verdict[] = [];
  readonly time = new SimulatedTime(this.server.clock, () => this.server.settle());
  private readonly receivers = new Map<string, PushReceiver>();
  private readonly behaviours = new Map<string, (sent: Received, count: number) => Answer>();
  private running: { lanes: Lanes; hub: EventHub; life: { isOver: boolean } };
  private count = 0;

  constructor() {
    this.server.callNow(Instance.adoptSecrets.to(instanceKey, secrets));
    this.server.watch((batch) => this.running.hub.dispatch(batch, []));
    this.running = this.startLanes();
  }

  get lanes(): Lanes {
    return this.running.lanes;
  }

  now(): number {
    return this.server.clock.now();
  }

  /** How a push service answers: `count` requests came to the endpoint before. 201 otherwise. */
  answer(host: string, behaviour: (sent: Received, count: number) => Answer): void {
    this.behaviours.set(host, behaviour);
  }

  async subscribe(person: Person, wish: Wish = {}): Promise<Subscribed> {
    const { host = 'push.example', isOld = false, alerts = pushAlerts, policy = 'all', isStandard = false } = wish;
    this.count += 1;
    const endpoint = `https://${host}/send/${this.count}`;
    const token = `token ${this.count}`;
    const tokenId = digestOfSecret(token);
    const receiver = new PushReceiver();
    this.receivers.set(endpoint, receiver);
    const accountId = person.id;
    const rights = { clientId: 'app', applicationId: 1n, accountId, scopes: ['push'], dialect: 'mastodon' as const };
    await this.server.call(Session.issueToken.to(tokenKey(tokenId), rights));
    const sealedToken = isOld ? undefined : sealToken(sealingKey(secrets), { accountId, tokenId, endpoint }, token);
    const given = { endpoint, ...receiver.keys, isStandard, alerts: [...alerts], policy, sealedToken };
    await this.server.call(Session.subscribeToPush.to(tokenKey(tokenId), { subscription: given }));
    return { endpoint, token, tokenId };
  }

  /** As somebody who signed in to the pages. `close` ends the session. */
  async subscribeBrowser(person: Person): Promise<Subscribed> {
    this.count += 1;
    const [endpoint, secret] = [`https://push.example/send/${this.count}`, `secret ${this.count}`];
    const receiver = new PushReceiver();
    this.receivers.set(endpoint, receiver);
    const key = browserKey(digestOfSecret(secret));
    const { login } = findLocalAccount(this.server.read, person.id)!;
    const opened = { accountId: person.id, passwordMark: passwordMarkOf(login), browser: 'Firefox' };
    await this.server.call(Session.openBrowserSession.to(key, opened));
    const subscription = {
      ...{ endpoint, ...receiver.keys, isStandard: true },
      ...{ alerts: [...pushAlerts], policy: 'all' as const },
    };
    await this.server.call(Session.subscribeBrowserToPush.to(key, { subscription }));
    return { endpoint, token: secret, tokenId: digestOfSecret(secret) };
  }

  close({ tokenId }: Subscribed): void {
    this.server.callNow(Session.closeBrowserSession.to(browserKey(tokenId), {}));
  }

  unsubscribe(person: Person, { tokenId }: Subscribed): void {
    this.server.callNow(Account.unsubscribeFromPush.to(person.id, { tokenId }));
  }

  revoke({ tokenId }: Subscribed): void {
    this.server.callNow(Session.revokeToken.to(tokenKey(tokenId), {}));
  }

  /** What arrived at an endpoint, parsed as most programs do: ids lose their last digits. */
  payloadsOf({ endpoint }: Subscribed): Record<string, unknown>[] {
    return this.sent.filter((one) => one.endpoint === endpoint).map(({ text }) => JSON.parse(text));
  }

  timesOf(host: string): number[] {
    return this.sent.filter(({ endpoint }) => new URL(endpoint).host === host).map(({ at }) => at);
  }

  settle(): Promise<void> {
    return this.time.settle();
  }

  advance(milliseconds: number): Promise<void> {
    return this.time.advance(milliseconds);
  }

  /** Messages that are still in the logs. */
  logged(): number {
    return this.server.read.partitions.reduce((sum, reader) => sum + [...reader.range(pushLog, [])].length, 0);
  }

  /** The network thread dies without a word, and another starts. */
  async crash(): Promise<void> {
    this.running.life.isOver = true;
    this.running = this.startLanes();
    await this.settle();
  }

  private startLanes() {
    const hub = new EventHub();
    const life = { isOver: false };
    const alive = (run: () => void) => () => {
      if (!life.isOver) run();
    };
    const services = { ...testServices(this.server, { elsewhere: new Map(), home: undefined }), index: 0, count: 1 };
    const report = ({ level, message }: { level: string; message: string }) => {
      if (level !== 'debug') this.problems.push(message);
    };
    const lanes = createPushLanes(
      {
        ...services,
        events: hub,
        caches: roomyCaches('network'),
        report,
        trace: undefined,
      },
      {
        now: () => this.server.clock.now(),
        monotonic: () => this.server.clock.monotonic(),
        random: () => this.time.random(),
        defer: (callback) => this.time.defer(alive(callback)),
        schedule: (milliseconds, callback) => this.time.schedule(milliseconds, alive(callback)),
        attempted: (verdict) => void this.verdicts.push(verdict),
        waitShortened: () => undefined,
        dropped: (why) => void this.dropped.push(why),
        report,
        send: (request) => (life.isOver ? new Promise(() => undefined) : this.receive(request)),
      },
    );
    lanes.start();
    return { lanes, hub, life };
  }

  private receive(request: Delivery): Promise<DeliveryResult> {
    const { host, origin } = new URL(request.url);
    const { claims, publicKey } = readVapid(request);
    if (claims.aud !== origin || publicKey !== secrets.vapidPublicKey) throw new Error('signed for another');
    const text = this.receivers.get(request.url)!.read(request);
    const encoding = request.headers['content-encoding']!;
    const sent = { at: this.now(), endpoint: request.url, encoding, text };
    const before = this.sent.filter(({ endpoint }) => endpoint === request.url).length;
    this.sent.push(sent);
    const answer = this.behaviours.get(host)?.(sent, before) ?? 201;
    return new Promise((resolve) => {
      if (typeof answer === 'number') this.time.defer(() => resolve(answered(answer)));
      else if ('afterMilliseconds' in answer)
        this.time.schedule(answer.afterMilliseconds, () => resolve(answered(answer.status)));
      else this.time.defer(() => resolve(answer));
    });
  }
}
