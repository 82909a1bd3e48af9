/** Remote accounts that move (specification 6.2): to another server, to this one, or within theirs. */
import { Account } from '../../actors/account/account.messages.ts';
import { destinationOf } from '../../actors/account/profile/profiles.queries.ts';
import { findProfile } from '../../actors/account/remote/federation.queries.ts';
import { flowOfHost } from '../../services/services.ts';
import type { ActOf } from '../documents/acts.ts';
import type { KnownAccount } from '../known-accounts.ts';
import { type Applied, done, type Inbound, type Outcome, type RemoteSource } from './inbound.ts';

type Move = ActOf<'move'>;

/**
 * Valid when the target lists the moving account as its alias: a remote target is fetched for that, known or not. An
 * account without local followers moves too: its profile refers to the new one (behaviour of the Mastodon API).
 */
export function receiveMove(
  inbound: Inbound,
  { target }: Move,
  actor: KnownAccount,
  source: RemoteSource | undefined,
): Applied {
  const { accounts, addresses } = inbound;
  if (!addresses.isLocal(target))
    return source === undefined ? 'incomplete' : askAndMove(inbound, target, actor, source);
  const account = accounts.find(target);
  return account === undefined ? 'dropped' : moveTo(inbound, account, actor);
}

async function askAndMove(
  inbound: Inbound,
  target: string,
  actor: KnownAccount,
  source: RemoteSource,
): Promise<Outcome> {
  const account = await source.account(target);
  return account === undefined ? 'dropped' : moveTo(inbound, account, actor);
}

function moveTo({ client, snapshots }: Inbound, target: KnownAccount, actor: KnownAccount): Applied {
  const profile = findProfile(snapshots, target.id);
  if (profile === undefined || target.isSuspended) return 'dropped';
  const knowsItself = target.isLocal ? profile.aliasIds?.includes(actor.id) : profile.alsoKnownAs.includes(actor.uri);
  if (knowsItself !== true) return 'dropped';
  const there = { targetId: target.id, targetDestination: destinationOf(profile) };
  return done(client.call(Account.moved.to(actor.id, there), flowOfHost(actor.host)));
}
