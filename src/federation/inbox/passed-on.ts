/**
 * Activities that their sender has not written: relays pass on what is public, and the authors of threads the answers in
 * them. The sender proves nothing: the document's own signature does, or the server of the author.
 *
 * INVARIANTS
 * 1. What concerns nobody here, or is here already, is dropped before any proof.
 * 2. What relays bring is done last and dropped first: its sender gets its answer at once, and never waits.
 * 3. Nothing is remembered as seen that was not proved.
 */
import { Domain } from '../../actors/domain/domain.messages.ts';
import type { JsonObject } from '../../outbound/fetcher/json.ts';
import { Failure, isTemporary } from '../../runtime/errors.ts';
import { traced } from '../../runtime/flow.ts';
import type { Problem } from '../../runtime/ports.ts';
import type { JoinedRelays } from '../../services/joined-relays.ts';
import type { PassedOnNetwork, PassedOnOutcome, Passer } from '../../services/passed-on.ts';
import { flowOfHost, type RemoteResolver } from '../../services/services.ts';
import type { SignedDocuments } from '../../services/signed-documents.ts';
import { isWithinAuthority } from '../activities/authority.ts';
import type { Inbound } from '../activities/inbound.ts';
import { noSource } from '../activities/no-source.ts';
import { processActivity } from '../activities/process-activity.ts';
import { proveDocument, signatureClaim } from '../document-signatures/document-proofs.ts';
import { proofClaim, proveByProof } from '../document-signatures/integrity-proofs.ts';
import type { Act, Activity } from '../documents/acts.ts';
import { isForAllTimelines } from '../documents/audience.ts';
import { readActivity } from '../documents/read-activity.ts';
import { hostOf } from '../documents/values.ts';
import { mayPass } from '../failures.ts';
import type { KnownAccount } from '../known-accounts.ts';
import { activityLimits } from '../limits.ts';
import type { InboxRequest } from './inbox-request.ts';
import { KeyFetchBudget } from './key-fetch-budget.ts';
import { isPassedOn, isWanted, namedUpdate, newStatusOf, statusAbout, statusOf } from './passed-on-acts.ts';
import type { RecentActivities } from './recent-activities.ts';
import type { RelayReceipts } from './relay-receipts.ts';
import type { Signer, Signers } from './signers.ts';

export interface PassedOnActivity {
  readonly request: InboxRequest;
  readonly json: JsonObject;
  readonly activity: Activity;
}

export interface PassedOnServices {
  readonly inbound: Inbound;
  readonly signers: Pick<Signers, 'ofKey'>;
  readonly recent: RecentActivities;
  readonly relays: () => JoinedRelays;
  readonly network: PassedOnNetwork;
  readonly receipts: Pick<RelayReceipts, 'count'>;
  readonly resolver: Pick<RemoteResolver, 'resolveAddress'>;
  readonly signedDocuments: SignedDocuments;
  monotonic(): number;
  report(problem: Problem): void;
}

/** Who passes something on, the host[:port] whose work it is, and the id of the joined relay where it is one. */
interface Passing {
  readonly by: Passer;
  readonly host: string;
  readonly relay?: bigint | undefined;
}

export class PassedOn {
  private readonly services: PassedOnServices;
  private readonly fetches: KeyFetchBudget;
  /** Relayed ones that are being worked on. */
  private relayed = 0;
  /** New statuses among them, by their id: what comes later about one waits for it. */
  private readonly storing = new Map<string, Promise<void>>();

  constructor(services: PassedOnServices) {
    this.services = services;
    this.fetches = new KeyFetchBudget(() => services.monotonic());
  }

  /** `sender`: the account that signed the request. Rejects with Failure overloaded or outcomeUnknown. */
  receive(passedOn: PassedOnActivity, sender: KnownAccount): undefined | Promise<undefined> {
    const relay = this.services.relays().acceptedBy(sender.uri);
    const passing: Passing = { by: relay === undefined ? 'server' : 'relay', host: sender.host, relay: relay?.id };
    const earlier = relay && this.storing.get(statusAbout(passedOn.activity) ?? '');
    const work = async () => this.reasonToDrop(passedOn.activity, passing) ?? this.take(passedOn, passing);
    if (earlier !== undefined) return this.begin(passing, () => earlier.then(work));
    const dropped = this.reasonToDrop(passedOn.activity, passing);
    if (dropped !== undefined) return this.count(passing, dropped);
    if (relay !== undefined)
      return this.begin(passing, () => this.take(passedOn, passing), newStatusOf(passedOn.activity));
    return this.take(passedOn, passing).then((outcome) => this.count(passing, outcome));
  }

  /** Whether a relay has brought this status a moment ago: it, or its author, is not known yet. */
  isStoring(uri: string | undefined): boolean {
    return uri !== undefined && this.storing.has(uri);
  }

  /** A joined relay announces a status: it is fetched from its server, and boosted by nobody. */
  receiveAnnounced({ request, activity }: PassedOnActivity, sender: KnownAccount): undefined {
    const relay = this.services.relays().acceptedBy(sender.uri)?.id;
    const passing: Passing = { by: 'relay', host: sender.host, relay };
    for (const act of activity.acts) {
      if (act.kind !== 'boost') this.count(passing, 'other type');
      else if (this.isKnown(act.uri)) this.count(passing, 'repeated');
      else this.begin(passing, () => this.fetch(act.uri, request.address), act.uri);
    }
  }

  private isKnown(uri: string): boolean {
    return this.isStoring(uri) || statusOf(this.services.inbound, uri) !== undefined;
  }

  /** What can be told without any proof. */
  private reasonToDrop({ actor, acts }: Activity, { by }: Passing): PassedOnOutcome | undefined {
    const { inbound } = this.services;
    if (inbound.policy().isSuspended(hostOf(actor))) return 'suspended';
    if (inbound.addresses.isLocal(actor) || !acts.every(isPassedOn)) return 'other type';
    const author = inbound.accounts.find(actor);
    if (author?.isSuspended === true) return 'suspended';
    if (acts.every((act) => act.kind === 'publish' && this.isKnown(act.note.uri))) return 'repeated';
    if (by === 'server') return acts.some((act) => isWanted(inbound, act, author)) ? undefined : 'unwanted';
    const isPublic = acts.every((act) => act.kind !== 'publish' || isForAllTimelines(act.note));
    if (!isPublic) return 'not public';
    return acts.some((act) => act.kind === 'publish' || isWanted(inbound, act, author)) ? undefined : 'unwanted';
  }

  /** Work that nobody waits for. `uri`: of the status that it stores. */
  private begin(passing: Passing, work: () => Promise<PassedOnOutcome>, uri?: string): undefined {
    if (this.relayed >= activityLimits.relayedAtOnceMax) return this.count(passing, 'shed');
    this.relayed += 1;
    const done = work()
      .catch((error: unknown) => this.failed(error))
      .then((outcome) => {
        this.relayed -= 1;
        if (uri !== undefined) this.storing.delete(uri);
        this.count(passing, outcome);
      });
    if (uri !== undefined) this.storing.set(uri, done);
  }

  private failed(error: unknown): PassedOnOutcome {
    if (isTemporary(error) || (error instanceof Failure && error.code === 'tooManyRequests')) return 'shed';
    if (!mayPass(error)) this.services.report({ level: 'error', message: 'a relayed activity failed', error });
    return 'unproved';
  }

  private async take(passedOn: PassedOnActivity, passing: Passing): Promise<PassedOnOutcome> {
    // A profile is fetched in any case: an older one may be signed as well.
    const isProfile = passedOn.activity.acts.some(({ kind }) => kind === 'changeProfile');
    const proved = isProfile ? undefined : await this.proved(passedOn, passing);
    return proved === undefined ? this.askAuthor(passedOn, passing) : this.apply(passedOn, proved, passing);
  }

  /** The author, and what it has proved of the activity; undefined where that is no proof. */
  private async proved({ request, json }: PassedOnActivity, { by }: Passing) {
    const { signedDocuments, signers, inbound, network } = this.services;
    const now = inbound.now();
    const [proof, signature] = [proofClaim(json), signatureClaim(json)];
    const claim = proof ?? signature;
    if (claim === undefined) return undefined;
    let signer: Signer | undefined;
    const keyOf = async (creator: string) => {
      signer = await signers.ofKey(creator, request);
      return signer?.publicKey;
    };
    // A proof is cheap; a signature may still fit where the proof is of another kind of key.
    let found = proof === undefined ? undefined : await proveByProof(json, proof, now, keyOf);
    if (signature !== undefined && (found === undefined || 'refusal' in found)) {
      const passed = { json, text: request.body.toString('utf8'), claim: signature, isSpare: by === 'relay' };
      found = await proveDocument({ signedDocuments, now: () => now }, passed, keyOf);
    }
    if (found === undefined) return undefined;
    if ('refusal' in found) network.countRefused(found.refusal);
    else if (signer !== undefined)
      return { author: signer.account, document: found.readable, signedAt: claim.createdAt };
    return undefined;
  }

  private async apply(
    { request }: PassedOnActivity,
    { author, document, signedAt }: { author: KnownAccount; document: JsonObject; signedAt: number },
    { by, host }: Passing,
  ): Promise<PassedOnOutcome> {
    const { inbound, recent } = this.services;
    const activity = readActivity(document);
    const isOwn = 'acts' in activity && activity.actor === author.uri && isWithinAuthority(activity);
    if (!isOwn || !activity.acts.every(isPassedOn)) return 'unproved';
    const stamp = { uri: activity.id, signedAt };
    const relay = by === 'relay' ? host : undefined;
    // What a new status of a relay refers to is not fetched: a relay brings more than anybody reads.
    const isAlone = relay !== undefined && activity.acts.every(({ kind }) => kind === 'publish');
    const source = isAlone ? noSource : undefined;
    const received = { inbound, stamp, actor: author, cause: request.cause, relay, source };
    const outcome = await processActivity(activity, received);
    if (outcome === 'dropped') return 'unwanted';
    if (outcome === 'incomplete') await this.postpone(document, author, { request, signedAt });
    if (activity.id !== undefined) recent.add(author.uri, activity.id);
    return 'applied';
  }

  /** Without a proof: what is new or edited is fetched from its own server. A Delete that nobody has signed is none. */
  private async askAuthor({ request, activity }: PassedOnActivity, { by }: Passing): Promise<PassedOnOutcome> {
    const { inbound } = this.services;
    const [act, ...others] = activity.acts;
    if (act === undefined || others.length > 0) return 'unproved';
    if (act.kind === 'publish' || act.kind === 'publishNamed')
      return by === 'relay' ? this.fetch(uriOf(act), request.address) : this.fetchThread(uriOf(act), request);
    const author = inbound.accounts.find(activity.actor);
    const update = namedUpdate(act, activity.actor);
    if (author === undefined || update === undefined) return 'unproved';
    await this.postpone(update, author, { request, signedAt: inbound.now() });
    return 'fetched';
  }

  private async fetch(uri: string, address: string): Promise<PassedOnOutcome> {
    const host = hostOf(uri);
    if (host === undefined || this.services.inbound.addresses.isLocal(uri)) return 'other type';
    if (this.services.inbound.policy().isSuspended(host)) return 'suspended';
    if (!this.fetches.take(host, address)) return 'shed';
    const isStored = await this.services.network.fetchRelayed(uri);
    if (isStored) this.fetches.fitted(host);
    return isStored ? 'fetched' : 'unproved';
  }

  private async fetchThread(uri: string, { address, cause }: InboxRequest): Promise<PassedOnOutcome> {
    const host = hostOf(uri);
    if (host === undefined || !this.fetches.take(host, address)) return 'shed';
    const { resolver } = this.services;
    const deadline = activityLimits.passedOnFetchMilliseconds;
    const found = await resolver.resolveAddress(uri, deadline, { cause }).catch(onlyPassing);
    if (found === undefined) return 'unproved';
    this.fetches.fitted(host);
    return 'fetched';
  }

  private async postpone(
    document: JsonObject,
    author: KnownAccount,
    { request, signedAt }: { readonly request: InboxRequest; readonly signedAt: number },
  ): Promise<void> {
    const { client, now } = this.services.inbound;
    const activity = JSON.stringify(document);
    if (activity.length > activityLimits.deferredBytesMax) return;
    const received = { activity, signerUri: author.uri, receivedAt: now(), attempt: 1, signedAt };
    await client.call(Domain.received.to(author.host, received), traced(flowOfHost(author.host), request.cause));
  }

  private count({ by, relay }: Passing, outcome: PassedOnOutcome): undefined {
    this.services.network.count(by, outcome);
    if (relay !== undefined) this.services.receipts.count(relay, outcome);
  }
}

function uriOf(act: Extract<Act, { kind: 'publish' | 'publishNamed' }>): string {
  return act.kind === 'publish' ? act.note.uri : act.uri;
}

function onlyPassing(error: unknown): undefined {
  if (mayPass(error)) return undefined;
  throw error;
}
