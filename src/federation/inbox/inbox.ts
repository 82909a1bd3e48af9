/**
 * The inbox, cheapest checks first: form, rules for the sender's server, sender and id, seen before, digest and date, meaning, key, signature,
 * authority. Then the activity is applied, and answered when that is on disk.
 *
 * INVARIANTS
 * 1. Nothing is stored, remembered as seen, or fetched twice for a request whose signature is invalid.
 * 2. What is dropped without verification concerns nobody here; dropping it is always safe.
 */
import { Domain } from '../../actors/domain/domain.messages.ts';
import { type JsonObject, parseJsonObject } from '../../outbound/fetcher/json.ts';
import type { Dialects } from '../../outbound/signatures/dialects.ts';
import { examineRequest } from '../../outbound/signatures/examine-request.ts';
import type { RequestSignature } from '../../outbound/signatures/types.ts';
import { verifyRequest } from '../../outbound/signatures/verify-request.ts';
import { Failure } from '../../runtime/errors.ts';
import { traced } from '../../runtime/flow.ts';
import type { JoinedRelays } from '../../services/joined-relays.ts';
import { exceededShape } from '../../services/json-shape.ts';
import { flowOfHost } from '../../services/services.ts';
import { isUnnamed } from '../activities/addressees.ts';
import { isWithinAuthority } from '../activities/authority.ts';
import type { Inbound, Outcome } from '../activities/inbound.ts';
import { noSource } from '../activities/no-source.ts';
import { processActivity } from '../activities/process-activity.ts';
import type { Act, Activity } from '../documents/acts.ts';
import { type Audience, isPublic } from '../documents/audience.ts';
import { readActivity } from '../documents/read-activity.ts';
import { readAudience } from '../documents/read-note.ts';
import { addressOf, hostOf, isSameHost, referenceOf, typeOf } from '../documents/values.ts';
import { publicAudience } from '../documents/vocabulary.ts';
import { ignoreFailure } from '../failures.ts';
import type { KnownAccount } from '../known-accounts.ts';
import { activityLimits } from '../limits.ts';
import { EarlyDeletes } from './early-deletes.ts';
import { FollowersChecks } from './followers-checks.ts';
import type { HeardHosts } from './heard-hosts.ts';
import type { InboxRequest } from './inbox-request.ts';
import type { PassedOn } from './passed-on.ts';
import type { RecentActivities } from './recent-activities.ts';
import type { Signer, Signers } from './signers.ts';

/** A request with its activity, as parsed and as read; `signedAt` is the time that its signature claims, unproved until the key matches. */
interface Delivery {
  readonly request: InboxRequest;
  readonly json: JsonObject;
  readonly activity: Activity;
  readonly signedAt: number;
  readonly signature: RequestSignature;
}

/** Activities that may legitimately be repeated under an old id: a follow or a like after its Undo, an answer. */
const repeatedActs: ReadonlySet<Act['kind']> = new Set([
  ...(['follow', 'like', 'boost', 'block', 'accept', 'reject', 'requestQuote', 'acceptQuote', 'rejectQuote'] as const),
  ...(['undoAccept', 'undoFollow', 'undoBlock', 'undoLike', 'undoBoost', 'undoNamed'] as const),
  ...(['requestFeature', 'acceptFeature', 'rejectFeature', 'requestReply', 'acceptReply', 'rejectReply'] as const),
]);

const shape = { levelsMax: activityLimits.jsonDepthMax, entriesMax: activityLimits.jsonEntriesMax };

/** Under which an activity that is for the owner of an inbox is remembered. */
function idAt(owner: string, id: string): string {
  return `${id} ${owner}`;
}

export interface InboxParts {
  readonly inbound: Inbound;
  readonly signers: Signers;
  readonly heardHosts: HeardHosts;
  readonly recent: RecentActivities;
  /** For what its sender has not written. */
  readonly passedOn: PassedOn;
  readonly relays: () => JoinedRelays;
  readonly dialects: Pick<Dialects, 'shown'>;
}

export class Inbox {
  private readonly inbound: Inbound;
  private readonly signers: Signers;
  private readonly heardHosts: HeardHosts;
  private readonly ownHosts: ReadonlySet<string>;
  private readonly recent: RecentActivities;
  private readonly followersChecks: FollowersChecks;
  private readonly passedOn: PassedOn;
  private readonly relays: () => JoinedRelays;
  private readonly dialects: Pick<Dialects, 'shown'>;
  private readonly earlyDeletes = new EarlyDeletes();

  constructor({ inbound, signers, heardHosts, recent, passedOn, relays, dialects }: InboxParts) {
    this.dialects = dialects;
    this.recent = recent;
    this.inbound = inbound;
    this.followersChecks = new FollowersChecks(inbound);
    this.signers = signers;
    this.heardHosts = heardHosts;
    this.passedOn = passedOn;
    this.relays = relays;
    this.ownHosts = new Set([inbound.addresses.host]);
  }

  /**
   * Settles when the activity was applied, stored for later, or dropped: the answer is 202. Throws or rejects with a
   * Failure: malformedJson, badRequest, signatureInvalid, forbidden (beyond the actor's authority), tooManyRequests,
   * remoteUnreachable, overloaded, outcomeUnknown.
   */
  receive(request: InboxRequest): undefined | Promise<undefined> {
    const isParsed = exceededShape(request.body, shape) === undefined;
    const json = isParsed ? parseJsonObject(request.body, activityLimits.jsonDepthMax) : undefined;
    if (json === undefined) throw new Failure('malformedJson');
    const type = typeOf(json);
    const actor = referenceOf(json.actor);
    if (type === 'Delete' && actor !== undefined && this.isNothingOf(actor, json))
      return this.keepForLater(request, json, actor);
    const id = addressOf(json.id);
    if (id !== undefined && actor !== undefined && this.wasApplied(request, json, actor, id)) return undefined;
    const examination = examineRequest(request, { now: this.inbound.now(), ownHosts: this.ownHosts });
    if (!examination.ok) throw new Failure('signatureInvalid', { cause: examination.refusal });
    const reading = readActivity(json, examination.signature.keyId);
    if ('malformed' in reading) throw new Failure('badRequest', { cause: reading.malformed });
    if ('ignored' in reading) return undefined;
    const { signature, signedAt } = examination;
    this.refuseSuspended(signature.keyId);
    // Whoever has got a request that does not name its host may have chosen this inbox.
    const bound = examination.isForHost ? request : { ...request, owner: undefined };
    const delivery = { request: bound, json, activity: reading, signedAt, signature };
    const signer = this.signers.find(signature.keyId);
    if (signer === undefined || !verifyRequest(request, signature, signer.publicKey).ok) {
      return this.receiveUnproved(delivery, signer === undefined);
    }
    return this.apply(delivery, signer);
  }

  /** Nothing of a suspended server is looked at further (behaviour of Mastodon: 403). Throws Failure forbidden. */
  private refuseSuspended(address: string | undefined): void {
    const policy = this.inbound.policy();
    if (policy.isEmpty || address === undefined) return;
    if (policy.isSuspended(hostOf(address))) throw new Failure('forbidden');
  }

  /** An unknown actor has nothing here to delete. */
  private isNothingOf(actor: string, { object }: JsonObject): boolean {
    return this.inbound.accounts.find(actor) === undefined && !this.passedOn.isStoring(referenceOf(object));
  }

  /** What it deletes may still come, and its author become known by that. */
  private keepForLater(request: InboxRequest, { object }: JsonObject, actor: string): undefined {
    const deleted = referenceOf(object);
    const isOfStatus = deleted !== undefined && deleted !== actor && isSameHost(deleted, actor);
    if (!isOfStatus || request.body.length > activityLimits.earlyDeleteBytesMax) return;
    if (this.inbound.policy().isSuspended(hostOf(actor))) return;
    if (examineRequest(request, { now: this.inbound.now(), ownHosts: this.ownHosts }).ok)
      this.earlyDeletes.keep(actor, request);
  }

  /** A post by `bcc` comes with one id to several inboxes, and is for the owner of each. */
  private wasApplied({ owner }: InboxRequest, json: JsonObject, actorUri: string, id: string): boolean {
    if (!this.recent.has(actorUri, id)) return false;
    if (owner === undefined || typeOf(json) !== 'Create') return true;
    return this.recent.has(actorUri, idAt(owner, id)) || !this.isForOwner(owner, readAudience(json), actorUri);
  }

  /** Whether only the inbox shows that it is for its owner. */
  private isForOwner(owner: string, audience: Audience, actorUri: string): boolean {
    const { accounts } = this.inbound;
    const [actor, recipient] = [accounts.find(actorUri), accounts.ofUsername(owner)];
    return actor !== undefined && recipient !== undefined && isUnnamed(this.inbound, audience, actor, recipient);
  }

  /** The key is unknown, or does not match and may have been replaced. */
  private async receiveUnproved(delivery: Delivery, isUnknown: boolean): Promise<undefined> {
    const { request, activity, signature } = delivery;
    if (isUnknown && !this.mayConcern(request, activity) && !this.relays().isAt(hostOf(signature.keyId)))
      return undefined;
    const signer = await this.signers.prove(request, { signature, address: request.address, cause: request.cause });
    return this.apply(delivery, signer);
  }

  /**
   * The actor is known here, or the text contains this server's host (not its URL, because slashes may be escaped), or
   * it came to somebody's inbox and is not for everybody, or takes this server for a relay.
   */
  private mayConcern({ owner, body }: InboxRequest, { actor, acts }: Activity): boolean {
    const { accounts, addresses } = this.inbound;
    if (accounts.find(actor) !== undefined || body.includes(addresses.host)) return true;
    return acts.some((act) => {
      if (act.kind === 'follow') return act.followed === publicAudience;
      return owner !== undefined && act.kind === 'publish' && !isPublic(act.note);
    });
  }

  /** The signature was verified. What the signer has deleted before it was known comes first. */
  private apply(delivery: Delivery, signer: Signer): undefined | Promise<undefined> {
    const early = this.earlyDeletes.take(signer.account.uri);
    if (early === undefined) return this.applyNow(delivery, signer);
    return this.receiveEarly(early).then(() => this.applyNow(delivery, signer));
  }

  private async receiveEarly(requests: readonly InboxRequest[]): Promise<void> {
    for (const request of requests) {
      try {
        await this.receive(request);
      } catch (error) {
        ignoreFailure(error);
      }
    }
  }

  /** What others have written and the signer passes on has yet to be proved. */
  private applyNow(delivery: Delivery, { account }: Signer): undefined | Promise<undefined> {
    this.heardHosts.heard(account.host);
    if (delivery.signature.messageParameters !== undefined) this.dialects.shown(account.host);
    const { request, activity, signedAt } = delivery;
    if (account.isSuspended && !account.isSuspendedByOrigin) return undefined;
    if (activity.actor !== account.uri) return this.passedOn.receive(delivery, account);
    if (this.isAnnouncedByRelay(activity)) return this.passedOn.receiveAnnounced(delivery, account);
    if (!isWithinAuthority(activity)) throw new Failure('forbidden');
    const stamp = { uri: activity.id, signedAt };
    const { owner, cause } = request;
    const recipient = owner === undefined ? undefined : this.inbound.accounts.ofUsername(owner);
    const received = { inbound: this.inbound, stamp, actor: account, recipient, cause, source: undefined };
    const applied = processActivity(activity, received);
    if (applied === 'dropped') return undefined;
    return this.finish(delivery, account, applied);
  }

  private isAnnouncedByRelay({ actor, acts }: Activity): boolean {
    return acts.some(({ kind }) => kind === 'boost') && this.relays().acceptedBy(actor) !== undefined;
  }

  private async finish(
    delivery: Delivery,
    account: KnownAccount,
    applied: Outcome | Promise<Outcome>,
  ): Promise<undefined> {
    const { host, uri } = account;
    if ((await applied) === 'incomplete') await this.postpone(delivery, host, uri);
    const isChecked = this.followersChecks.check(delivery.request, delivery.signature.signedHeaders, account);
    if (isChecked !== undefined) await isChecked;
    const { id, acts } = delivery.activity;
    if (id === undefined || acts.some(({ kind }) => repeatedActs.has(kind))) return;
    this.recent.add(uri, id);
    const { owner } = delivery.request;
    if (owner === undefined) return;
    if (acts.some((act) => act.kind === 'publish' && this.isForOwner(owner, act.note, uri)))
      this.recent.add(uri, idAt(owner, id));
  }

  private async postpone({ request, activity, signedAt }: Delivery, host: string, signerUri: string): Promise<void> {
    const { client, accounts, now } = this.inbound;
    if (request.body.length <= activityLimits.deferredBytesMax) {
      const received = {
        activity: request.body.toString('utf8'),
        signerUri,
        receivedAt: now(),
        attempt: 1,
        signedAt,
        ...(request.owner !== undefined && { owner: request.owner }),
      };
      await client.call(Domain.received.to(host, received), traced(flowOfHost(host), request.cause));
      return;
    }
    const actor = accounts.find(signerUri);
    const stamp = { uri: activity.id, signedAt };
    if (actor === undefined) return;
    const { cause } = request;
    const { owner } = request;
    const recipient = owner === undefined ? undefined : accounts.ofUsername(owner);
    await processActivity(activity, { inbound: this.inbound, stamp, actor, recipient, cause, source: noSource });
  }
}
