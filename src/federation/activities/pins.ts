/** What remote accounts feature (specification 6.2: featured collections are synchronised, with featured tags). */
import { Account } from '../../actors/account/account.messages.ts';
import { findProfile, hasLocalFollowers } from '../../actors/account/remote/federation.queries.ts';
import { flowOfHost } from '../../services/services.ts';
import type { ActOf } from '../documents/acts.ts';
import type { KnownAccount } from '../known-accounts.ts';
import { receiveCollected } from './collections.ts';
import { type Applied, done, type Inbound, type Outcome, type RemoteSource, type ResolvedStatus } from './inbound.ts';
import { resolveStatus } from './resolve-status.ts';

type Pin = ActOf<'pin' | 'unpin'>;

/**
 * An Add to a collection other than the actor's featured one is no pin. An unknown status is fetched only where the
 * actor has local followers.
 */
export function receivePin(inbound: Inbound, pin: Pin, actor: KnownAccount, source: RemoteSource | undefined): Applied {
  if (findProfile(inbound.snapshots, actor.id)?.remote?.featured !== pin.collection)
    return receiveCollected(inbound, pin, actor, source);
  const status = resolveStatus(inbound, pin.uri);
  if (status !== undefined) return store(inbound, pin, actor, status);
  if (pin.kind === 'unpin' || !hasLocalFollowers(inbound.snapshots, actor.id)) return 'dropped';
  return source === undefined ? 'incomplete' : fetchAndStore(inbound, pin, actor, source);
}

async function fetchAndStore(inbound: Inbound, pin: Pin, actor: KnownAccount, source: RemoteSource): Promise<Outcome> {
  const status = await source.status(pin.uri);
  return status === undefined ? 'dropped' : store(inbound, pin, actor, status);
}

function store(
  { client }: Inbound,
  { kind }: Pin,
  actor: KnownAccount,
  { statusId, authorId }: ResolvedStatus,
): Applied {
  if (authorId !== actor.id) return 'dropped';
  return done(client.call(Account[kind].to(actor.id, { statusId }), flowOfHost(actor.host)));
}

/** A hashtag in the featured collection. */
export function receiveFeaturedTag(
  inbound: Inbound,
  { kind, tag, collection }: ActOf<'featureTag' | 'unfeatureTag'>,
  actor: KnownAccount,
): Applied {
  if (findProfile(inbound.snapshots, actor.id)?.remote?.featured !== collection) return 'dropped';
  const message =
    kind === 'featureTag'
      ? Account.featureTag.to(actor.id, { ...tag, isNew: false })
      : Account.unfeatureTag.to(actor.id, { name: tag.name });
  return done(inbound.client.call(message, flowOfHost(actor.host)));
}
