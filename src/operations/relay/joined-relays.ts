/** The relays of others that this server joins: their public posts come in, and those of this server go to them. */
import { z } from 'zod';
import { findProfile } from '../../actors/account/remote/federation.queries.ts';
import { allJoinedRelays, findReceipts } from '../../actors/relay/joined/joined.queries.ts';
import type { JoinedReceipts, JoinedRelay } from '../../actors/relay/joined/joined.records.ts';
import { Relay, relayKey } from '../../actors/relay/relay.messages.ts';
import type { SubscriptionForm } from '../../actors/relay/relay.records.ts';
import { hostOf } from '../../federation/documents/values.ts';
import { relayReceiptsOf } from '../../federation/inbox/relay-receipts.ts';
import { Failure, validationFailure } from '../../runtime/errors.ts';
import { type LaneReport, worstFirst } from '../../services/delivery-lanes.ts';
import { domainPolicy } from '../../services/domain-policy.ts';
import { secretsOf } from '../../services/instance-secrets.ts';
import type { Services } from '../../services/services.ts';
import { reads } from '../audit.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';

const addressCharactersMax = 2_048;
const actorDeadlineMilliseconds = 10_000;

/**
 * A relay, what it has brought, and how deliveries to its host go; `lane` is undefined where nothing was delivered since the
 * start, `receipts` where it has brought nothing.
 */
export interface JoinedRelayView {
  readonly relay: JoinedRelay;
  readonly receipts: JoinedReceipts | undefined;
  readonly lane: LaneReport | undefined;
}

/** Those joined first come first. */
export const listJoinedRelays = operation({
  input: z.object({}),
  permission: 'manageFederation',
  audit: reads,
  async run({ services }): Promise<readonly JoinedRelayView[]> {
    const relays = allJoinedRelays(services.snapshots);
    if (relays.length === 0) return [];
    // Other gateways tell theirs some seconds later.
    await relayReceiptsOf(services).tell();
    const lanes = [...(await services.deliveryLanes.reports())].sort(worstFirst);
    return relays.map((relay) => ({
      relay,
      receipts: findReceipts(services.snapshots, relay.id),
      lane: lanes.find(({ host }) => host === relay.host),
    }));
  },
});

/**
 * Joins the relay at an address: that of its inbox, as administrators of Mastodon enter it, or that of its actor, as for
 * LitePub. Repeated, it asks a relay again that has not accepted.
 */
export const joinRelay = operation({
  input: z.object({ address: z.string().trim().max(addressCharactersMax) }),
  permission: 'manageFederation',
  audit: 'joinRelay',
  async run({ caller, services, audit }, { address }): Promise<JoinedRelay> {
    const host = relayHost(services, address);
    const found = isInbox(address) ? { form: publicForm, inbox: address } : await foundRelay(services, address);
    // The Follow is signed by the server's own actor.
    await secretsOf(services);
    return services.client.call(Relay.join.to(relayKey, { host, ...found, audit }), flowOf(caller));
  },
});

/** By its id, or by the host[:port] or the address of its inbox. */
export const leaveRelay = operation({
  input: z.object({ relay: z.union([z.bigint(), z.string()]) }),
  permission: 'manageFederation',
  audit: 'leaveRelay',
  async run({ caller, services, audit }, { relay: named }): Promise<JoinedRelay> {
    const relay = allJoinedRelays(services.snapshots).find(({ id, host, inbox, actor }) =>
      [id, host, inbox, actor].includes(typeof named === 'string' ? named.trim() : named),
    );
    if (relay === undefined) throw new Failure('notFound', { text: 'This server has not joined such a relay.' });
    return services.client.call(Relay.leaveRelay.to(relayKey, { id: relay.id, audit }), flowOf(caller));
  },
});

const publicForm: SubscriptionForm = 'public';
const actorForm: SubscriptionForm = 'actor';

function isInbox(address: string): boolean {
  return URL.parse(address)?.pathname.endsWith('/inbox') === true;
}

function relayHost(services: Services, address: string): string {
  const { addresses, options } = services;
  const host = hostOf(address);
  const isSecure = /^https:/i.test(address) || options.federationAllowHttp;
  if (host === undefined || !isSecure || URL.parse(address) === null)
    throw validationFailure('Enter the address of the inbox, or of the actor, of a relay');
  if (addresses.isOwnHost(host)) throw validationFailure('This server cannot join itself');
  if (domainPolicy(services).isSuspended(host)) throw validationFailure(`${host} is suspended here`);
  return host;
}

async function foundRelay(services: Services, address: string) {
  const found = await services.resolver.resolveAddress(address, actorDeadlineMilliseconds);
  const remote =
    found !== undefined && 'accountId' in found ? findProfile(services.snapshots, found.accountId)?.remote : undefined;
  if (remote === undefined) throw validationFailure(`There is no relay at ${address}`);
  return { form: actorForm, inbox: remote.inbox, actor: remote.uri };
}
