/**
 * The inbox of the relay, cheapest checks first: form, rules for servers, seen before, whether the sender subscribes,
 * type, age, audience, digest and date, key, signature, filters. Then the activity is logged, once whoever brings it,
 * and answered when that is on disk.
 *
 * INVARIANTS
 * 1. Nothing is stored, or remembered as seen, for a request whose signature is invalid.
 * 2. What is passed on as received carries a signature of its own, and its author has signed the request, or that signature
 *    was verified. What its author has proved otherwise is announced. Anything else is fetched from the author's server, and
 *    announced.
 */
import { type JsonObject, parseJsonObject } from '../../outbound/fetcher/json.ts';
import { type Examination, examineRequest } from '../../outbound/signatures/examine-request.ts';
import { verifyRequest } from '../../outbound/signatures/verify-request.ts';
import { Failure } from '../../runtime/errors.ts';
import { domainPolicy } from '../../services/domain-policy.ts';
import { exceededShape } from '../../services/json-shape.ts';
import { member } from '../../services/members.ts';
import type { RelayActor, RelayReception } from '../../services/relay.ts';
import type { Services } from '../../services/services.ts';
import { hostOf, isSameHost, referenceOf, typeOf } from '../documents/values.ts';
import { HeardHosts } from '../inbox/heard-hosts.ts';
import type { InboxRequest } from '../inbox/inbox-request.ts';
import { KeyFetchBudget } from '../inbox/key-fetch-budget.ts';
import { KeyRefreshes } from '../inbox/key-refreshes.ts';
import { RecentActivities } from '../inbox/recent-activities.ts';
import { activityLimits } from '../limits.ts';
import { relayBounds } from './limits.ts';
import { provedAuthor } from './proved-author.ts';
import { type Offer, readFetchedPost, readOffer, relayedOf } from './read-relayed.ts';
import { ReceivedPosts } from './received-posts.ts';
import { RelayActors, type RelaySigner } from './relay-actors.ts';
import { passes } from './relay-filter.ts';
import type { RelayRequest } from './relay-request.ts';
import { type RelaySender, RelaySenders } from './relay-senders.ts';
import { aboutSubscription, SubscriptionRequests } from './subscription-requests.ts';

type Signature = Extract<Examination, { ok: true }>['signature'];

const shape = { levelsMax: activityLimits.jsonDepthMax, entriesMax: activityLimits.jsonEntriesMax };
const minute = 60_000;
/** Whoever they come from. */
const anybody = '';
const botTypes: ReadonlySet<string> = new Set(['Service', 'Application']);

type InboxServices = Pick<
  Services,
  | ('options' | 'addresses' | 'snapshots' | 'client' | 'caches' | 'events' | 'members' | 'relay')
  | ('signedDocuments' | 'deliveryLanes' | 'report' | 'now' | 'monotonic')
>;

export const relayInboxOf = member((services: InboxServices) => new RelayInbox(services));

export class RelayInbox {
  private readonly services: InboxServices;
  private readonly actors: RelayActors;
  private readonly senders: RelaySenders;
  private readonly posts: ReceivedPosts;
  private readonly requests: SubscriptionRequests;
  private readonly recent: RecentActivities;
  private readonly budget: KeyFetchBudget;
  private readonly refreshes: KeyRefreshes;
  private readonly heardHosts: HeardHosts;
  private readonly ownHosts: ReadonlySet<string>;

  constructor(services: InboxServices) {
    const { caches, addresses } = services;
    this.services = services;
    this.actors = new RelayActors(services);
    this.senders = new RelaySenders(services);
    this.posts = new ReceivedPosts(services);
    this.requests = new SubscriptionRequests(services);
    this.recent = new RecentActivities(caches.bytesMax('relaySeen'));
    caches.measure('relaySeen', this.recent);
    this.budget = new KeyFetchBudget(() => services.monotonic());
    this.refreshes = new KeyRefreshes(() => services.monotonic());
    this.heardHosts = new HeardHosts(services);
    this.ownHosts = new Set([addresses.host]);
  }

  /**
   * Settles when the activity was logged or dropped: the answer is 202. Throws or rejects with a Failure: malformedJson,
   * signatureInvalid, forbidden (who does not subscribe), tooManyRequests, overloaded, outcomeUnknown.
   */
  receive(request: InboxRequest): undefined | Promise<undefined> {
    const isParsed = exceededShape(request.body, shape) === undefined;
    const json = isParsed ? parseJsonObject(request.body, activityLimits.jsonDepthMax) : undefined;
    if (json === undefined) throw new Failure('malformedJson');
    const actor = referenceOf(json.actor);
    const id = typeof json.id === 'string' ? json.id : undefined;
    if (id === undefined || actor === undefined) throw new Failure('badRequest');
    this.refuseSuspended(actor);
    if (this.recent.has(anybody, id)) return this.drop('repeated');
    const examination = examineRequest(request, { now: this.services.now(), ownHosts: this.ownHosts });
    if (!examination.ok) throw new Failure('signatureInvalid', { cause: examination.refusal });
    const { signature } = examination;
    const host = hostOf(signature.keyId);
    if (host === undefined || this.services.addresses.isOwnHost(host)) throw new Failure('signatureInvalid');
    this.refuseSuspended(signature.keyId);
    const isRequest = aboutSubscription.has(typeOf(json) ?? '');
    // Posts are for everybody. A Follow of Public may be meant for another relay.
    if (isRequest && !examination.isForHost)
      throw new Failure('signatureInvalid', { cause: 'the host is not covered' });
    if (isRequest) return this.receiveRequest(request, json, signature, host);
    return this.receivePost(request, json, signature, host);
  }

  private async receiveRequest(
    request: InboxRequest,
    json: JsonObject,
    signature: Signature,
    host: string,
  ): Promise<undefined> {
    this.services.relay.received('about subscription');
    if (request.body.length > relayBounds.followBytesMax) throw new Failure('badRequest');
    const { actor: signer } = await this.proved(request, signature, host);
    this.heardHosts.heard(host);
    if (referenceOf(json.actor) !== signer.uri) throw new Failure('forbidden');
    await this.requests.receive({ json, body: request.body, signer, host });
  }

  private receivePost(
    request: InboxRequest,
    json: JsonObject,
    signature: Signature,
    host: string,
  ): undefined | Promise<undefined> {
    const sender = this.senders.find(host);
    if (sender === undefined) {
      this.drop('not subscribed');
      throw new Failure('forbidden', { text: 'Only servers that subscribe to this relay may send to it.' });
    }
    const offer = readOffer(json);
    const dropped = this.reasonToDrop(offer, request.body.length);
    if (offer === undefined || dropped !== undefined) return this.drop(dropped ?? 'other type');
    const known = this.actors.find(signature.keyId);
    if (known !== undefined && verifyRequest(request, signature, known.publicKey).ok)
      return this.take(offer, { json, body: request.body, signer: known.actor, host }, sender);
    return this.prove(request, signature, host).then(({ actor: signer }) =>
      this.take(offer, { json, body: request.body, signer, host }, sender),
    );
  }

  /** What can be told without the signer. */
  private reasonToDrop(offer: Offer | undefined, bytes: number): RelayReception | undefined {
    if (offer === undefined || bytes > relayBounds.bodyBytesMax) return 'other type';
    if (!offer.isPublic) return 'not public';
    return this.isTooOld(offer) ? 'too old' : undefined;
  }

  private isTooOld({ type, publishedAt }: Offer): boolean {
    const { options, now } = this.services;
    if (publishedAt === undefined || (type !== 'Create' && type !== 'Announce')) return false;
    return publishedAt < now() - options.relayAgeMinutes * minute;
  }

  private refuseSuspended(address: string): void {
    const policy = domainPolicy(this.services);
    if (policy.isEmpty || !policy.isSuspended(hostOf(address))) return;
    this.drop('suspended');
    throw new Failure('forbidden');
  }

  private async proved(request: InboxRequest, signature: Signature, host: string): Promise<RelaySigner> {
    const known = this.actors.find(signature.keyId);
    const fits = known !== undefined && verifyRequest(request, signature, known.publicKey).ok;
    return fits ? known : this.prove(request, signature, host);
  }

  /** The key is unknown, or does not match and may have been replaced. Rejects with signatureInvalid, tooManyRequests. */
  private async prove(request: InboxRequest, signature: Signature, host: string): Promise<RelaySigner> {
    const { keyId } = signature;
    const { address } = request;
    const mayAsk = this.actors.find(keyId) === undefined || this.refreshes.take(keyId);
    if (!mayAsk) throw new Failure('signatureInvalid', { cause: 'the key does not match, and was fetched lately' });
    if (!this.budget.take(host, address)) throw new Failure('tooManyRequests');
    const signer = await this.actors.fetchSigner(keyId);
    const verification = signer && verifyRequest(request, signature, signer.publicKey);
    if (signer !== undefined && verification?.ok === true) {
      this.budget.fitted(host);
      return signer;
    }
    this.budget.failed(address);
    throw new Failure('signatureInvalid', { cause: verification?.ok === false ? verification.refusal : 'no such key' });
  }

  /** The signature was verified. */
  private take(offer: Offer, request: RelayRequest, sender: RelaySender): undefined | Promise<undefined> {
    const { signer, body, host } = request;
    this.heardHosts.heard(host);
    const isServer = signer.uri === sender.server;
    // A server announces what its people have posted (LitePub), or passes on what is not its own.
    if (offer.author !== signer.uri || (isServer && offer.type === 'Announce'))
      return this.takeForwarded(offer, request, sender);
    if (offer.isSigned) return this.pass(offer, { body, author: signer, sender });
    // Nothing but a new post can be announced.
    if (offer.type !== 'Create') return this.drop('unsigned');
    return this.pass(offer, { body: undefined, author: signer, sender });
  }

  /** The author has not signed the request: what it has signed or proved itself is passed on all the same. */
  private async takeForwarded(offer: Offer, request: RelayRequest, sender: RelaySender): Promise<undefined> {
    const isOwn = offer.author === request.signer.uri;
    const proved = isOwn ? undefined : await provedAuthor(this.services, this.actors, offer, request);
    if (proved === undefined) return this.takeFetched(offer, request, sender);
    const { author, isSigned } = proved;
    if (!isSigned && offer.type !== 'Create') return this.drop('unsigned');
    return this.pass(offer, { body: isSigned ? request.body : undefined, author, sender });
  }

  /** The post is fetched from its author's server, and only it is announced. */
  private async takeFetched(offer: Offer, request: RelayRequest, sender: RelaySender): Promise<undefined> {
    const isNews = offer.type === 'Create' || (offer.type === 'Announce' && offer.author === request.signer.uri);
    if (!isNews) return this.drop('unproved');
    this.refuseSuspended(offer.object);
    if (this.recent.has(anybody, offer.object)) return this.drop('repeated');
    const fetched = await this.services.relay.object(offer.object);
    const json =
      'failure' in fetched ? undefined : parseJsonObject(Buffer.from(fetched.json), activityLimits.jsonDepthMax);
    const post = json && readFetchedPost(json);
    if (post === undefined || !isSameHost(post.id, offer.object)) return this.drop('unproved');
    const reason = this.reasonToDrop(post, 0);
    if (reason !== undefined) return this.drop(reason);
    this.refuseSuspended(post.author);
    const author = await this.actors.actor(post.author);
    if (author === undefined) return this.drop('unproved');
    await this.pass(post, { body: undefined, author, sender });
    this.recent.add(anybody, offer.id);
  }

  private pass(
    offer: Offer,
    { body, author, sender }: { body: Buffer | undefined; author: RelayActor; sender: RelaySender },
  ): undefined | Promise<undefined> {
    if (offer.type === 'Update' && offer.object === offer.author) this.actors.forget(offer.author);
    if (author.optsOut || (!author.isIndexable && !this.services.options.relayUnindexed)) return this.drop('opted out');
    const relayed = relayedOf(offer, { from: sender.host, body, isBot: botTypes.has(author.type) });
    if (!passes(sender.gives, relayed, hostOf(offer.author) ?? '')) return this.drop('filtered');
    // A new post has two names: others announce it by that of the object.
    const names = offer.type === 'Create' && offer.object !== offer.id ? [offer.id, offer.object] : [offer.id];
    return this.posts.log({ relayed, names }).then((isNew) => {
      for (const name of names) this.recent.add(anybody, name);
      return this.drop(isNew ? 'passed on' : 'repeated');
    });
  }

  private drop(what: RelayReception): undefined {
    this.services.relay.received(what);
  }
}
