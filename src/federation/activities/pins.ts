/** What remote accounts feature (specification 6.2: featured collections are synchronised, with featured tags). */
import { Account } from '../../actors/account/account.messages.ts';
import { findProfile, hasLocalFollowers } from '../../actors/account/remote/federation.queries.ts';
import type { ActOf } from '../documents/acts.ts';
import { isSameHost } from '../documents/values.ts';
import { receiveCollected } from './collections.ts';
import {
  type Applied,
  callFor,
  type Outcome,
  type Received,
  type RemoteSource,
  type ResolvedStatus,
} from './inbound.ts';
import { resolveStatus } from './resolve-status.ts';

type Pin = ActOf<'pin' | 'unpin'>;

/**
 * An Add to a collection other than the actor's featured one is no pin. An unknown status is fetched only where the
 * actor has local followers.
 */
export function receivePin(received: Received, pin: Pin): Applied {
  const { inbound, actor, source } = received;
  if (findProfile(inbound.snapshots, actor.id)?.remote?.featured !== pin.collection)
    return receiveCollected(received, pin);
  if (!isSameHost(pin.uri, actor.uri)) return 'dropped';
  const status = resolveStatus(inbound, pin.uri);
  if (status !== undefined) return store(received, pin, status);
  if (pin.kind === 'unpin' || !hasLocalFollowers(inbound.snapshots, actor.id)) return 'dropped';
  return source === undefined ? 'incomplete' : fetchAndStore(received, pin, source);
}

async function fetchAndStore(received: Received, pin: Pin, source: RemoteSource): Promise<Outcome> {
  const status = await source.status(pin.uri);
  return status === undefined ? 'dropped' : store(received, pin, status);
}

function store(received: Received, { kind }: Pin, { statusId, authorId }: ResolvedStatus): Applied {
  const { actor, stamp } = received;
  const message = { statusId, signedAt: stamp.signedAt };
  return authorId === actor.id ? callFor(received, Account[kind].to(actor.id, message)) : 'dropped';
}

/** A hashtag in the featured collection. */
export function receiveFeaturedTag(
  received: Received,
  { kind, tag, collection }: ActOf<'featureTag' | 'unfeatureTag'>,
): Applied {
  const { inbound, actor } = received;
  const { signedAt } = received.stamp;
  if (findProfile(inbound.snapshots, actor.id)?.remote?.featured !== collection) return 'dropped';
  const message =
    kind === 'featureTag'
      ? Account.featureTag.to(actor.id, { ...tag, isNew: false, signedAt })
      : Account.unfeatureTag.to(actor.id, { name: tag.name, signedAt });
  return callFor(received, message);
}
