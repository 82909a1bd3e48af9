/** Remote accounts that move (specification 6.2): to another server, to this one, or within theirs. */
import { Account } from '../../actors/account/account.messages.ts';
import { destinationOf } from '../../actors/account/profile/profiles.queries.ts';
import { findProfile } from '../../actors/account/remote/federation.queries.ts';
import type { ActOf } from '../documents/acts.ts';
import type { KnownAccount } from '../known-accounts.ts';
import { type Applied, callFor, type Outcome, type Received, type RemoteSource } from './inbound.ts';

/**
 * Valid when the target lists the moving account as its alias: a remote target is fetched for that, known or not. An
 * account without local followers moves too: its profile refers to the new one (behaviour of the Mastodon API).
 */
export function receiveMove(received: Received, { target }: ActOf<'move'>): Applied {
  const { inbound, source } = received;
  if (!inbound.addresses.isLocal(target))
    return source === undefined ? 'incomplete' : fetchAndMove(received, target, source);
  const account = inbound.accounts.find(target);
  return account === undefined ? 'dropped' : moveTo(received, account);
}

async function fetchAndMove(received: Received, target: string, source: RemoteSource): Promise<Outcome> {
  const account = await source.account(target);
  return account === undefined ? 'dropped' : moveTo(received, account);
}

function moveTo(received: Received, target: KnownAccount): Applied {
  const { inbound, actor } = received;
  const profile = findProfile(inbound.snapshots, target.id);
  if (profile === undefined || target.isSuspended) return 'dropped';
  const knowsItself = target.isLocal ? profile.aliasIds?.includes(actor.id) : profile.alsoKnownAs.includes(actor.uri);
  if (knowsItself !== true) return 'dropped';
  const there = { targetId: target.id, targetDestination: destinationOf(profile) };
  return callFor(received, Account.moved.to(actor.id, there));
}
