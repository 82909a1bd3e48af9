/** Requests of servers about their subscription: Follow and Undo, and the answer to the relay's own Follow. */
import { allJoinedRelays } from '../../actors/relay/joined/joined.queries.ts';
import { Relay, relayKey } from '../../actors/relay/relay.messages.ts';
import { findSubscription } from '../../actors/relay/relay.queries.ts';
import type { Subscription, SubscriptionForm } from '../../actors/relay/relay.records.ts';
import { isJsonObject, type JsonObject } from '../../outbound/fetcher/json.ts';
import { Failure } from '../../runtime/errors.ts';
import { flowOfHost, type Services } from '../../services/services.ts';
import { addressOf, isSameHost, referenceOf, typeOf } from '../documents/values.ts';
import { isPublicAudience } from '../documents/vocabulary.ts';
import { activityIdOf } from '../local-addresses.ts';
import type { RelayRequest } from './relay-request.ts';

/** The types of such requests. */
export const aboutSubscription: ReadonlySet<string> = new Set(['Follow', 'Undo', 'Accept', 'Reject']);

const reasons = {
  person: 'People cannot follow this relay: the administrator of a server adds it, and everybody there profits.',
  unknown: 'Follow https://www.w3.org/ns/activitystreams#Public, or the actor of this relay, to subscribe.',
} as const;

type RequestServices = Pick<Services, 'options' | 'addresses' | 'snapshots' | 'client'>;

export class SubscriptionRequests {
  private readonly services: RequestServices;

  constructor(services: RequestServices) {
    this.services = services;
  }

  /** The request was verified, and is the signer's own. Rejects with Failure badRequest where it cannot be answered. */
  async receive(request: RelayRequest): Promise<void> {
    const { client, snapshots } = this.services;
    const { json, host } = request;
    if (await this.answered(request)) return;
    const subscription = findSubscription(snapshots, host);
    switch (typeOf(json)) {
      case 'Follow':
        await this.follow(request);
        return;
      case 'Accept':
        if (subscription?.state === 'confirming' && speaksFor(request, subscription))
          await client.call(Relay.confirmed.to(relayKey, { host }), flowOfHost(host));
        return;
      default:
        // An Undo of its Follow, or a Reject of the relay's.
        if (subscription !== undefined && isAboutFollow(json, subscription) && speaksFor(request, subscription))
          await client.call(Relay.leave.to(relayKey, { host }), flowOfHost(host));
    }
  }

  /** A relay that this one has joined answers. */
  private async answered({ json, signer, host }: RelayRequest): Promise<boolean> {
    const { client, snapshots, addresses } = this.services;
    const type = typeOf(json);
    if (type !== 'Accept' && type !== 'Reject') return false;
    const uri = referenceOf(json.object);
    const followId = uri === undefined ? undefined : activityIdOf(addresses, uri);
    const relay = followId && allJoinedRelays(snapshots).find((joined) => joined.followId === followId);
    if (!relay || !followId) return false;
    if (!isSameHost(signer.uri, relay.inbox)) return true;
    const message = Relay.answered.to(relayKey, { followId, actor: signer.uri, isAccepted: type === 'Accept' });
    await client.call(message, flowOfHost(host));
    return true;
  }

  private async follow({ json, body, signer, host }: RelayRequest): Promise<void> {
    const { client, options } = this.services;
    const { uri: actor, inbox, sharedInbox } = signer;
    if (addressOf(json.id) === undefined) throw new Failure('badRequest', { cause: 'a Follow without an id' });
    // It would receive what it has not asked for, a Reject as well.
    if (!isSameHost(inbox, actor))
      throw new Failure('badRequest', { text: 'The inbox of a subscriber has to be on the host of its actor.' });
    const isShared = sharedInbox !== undefined && isSameHost(sharedInbox, actor);
    const form = this.formOf(json);
    const followed = { actor, inbox, postsInbox: isShared ? sharedInbox : inbox, follow: body.toString('utf8') };
    const refused =
      form === undefined ? reasons.unknown : form === 'actor' && isPerson(signer) ? reasons.person : undefined;
    const follower = { ...followed, form: form ?? 'actor' };
    if (refused !== undefined)
      await client.call(Relay.refuse.to(relayKey, { host, follower, reason: refused }), flowOfHost(host));
    else {
      const message = Relay.follow.to(relayKey, { host, follower, mode: options.relaySubscriptions });
      await client.call(message, flowOfHost(host));
    }
  }

  private formOf({ object }: JsonObject): SubscriptionForm | undefined {
    const { addresses } = this.services;
    if (typeof object === 'string' && isPublicAudience(object)) return 'public';
    return referenceOf(object) === addresses.relayActor ? 'actor' : undefined;
  }
}

function isPerson({ type }: RelayRequest['signer']): boolean {
  return type !== 'Application' && type !== 'Service';
}

/** Whether the signer speaks for its server: whoever has subscribed, or another actor that is no person. */
function speaksFor({ signer }: RelayRequest, { follower }: Subscription): boolean {
  return signer.uri === follower?.actor || !isPerson(signer);
}

/** Whether the object of an Undo or a Reject is a Follow: embedded, or the id of the one that was stored. */
function isAboutFollow({ object, type }: JsonObject, { follower }: Subscription): boolean {
  if (isJsonObject(object)) return typeOf(object) === 'Follow';
  return (
    typeof object === 'string' && (type === 'Reject' || follower?.follow.includes(JSON.stringify(object)) === true)
  );
}
