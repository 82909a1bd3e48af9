/**
 * Remote accounts that move (specification 6.2): to another server, to this one, or within theirs. A Move leads
 * followers along; without one, a profile that names another account refers to it (behaviour of the Mastodon API).
 */
import { Account } from '../../actors/account/account.messages.ts';
import type { Profile } from '../../actors/account/profile/profile.records.ts';
import { destinationOf } from '../../actors/account/profile/profiles.queries.ts';
import { findProfile } from '../../actors/account/remote/federation.queries.ts';
import { traced } from '../../runtime/flow.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import { flowOfHost } from '../../services/services.ts';
import type { ActOf } from '../documents/acts.ts';
import type { KnownAccount } from '../known-accounts.ts';
import { type Applied, callFor, type Inbound, type Outcome, type Received, type RemoteSource } from './inbound.ts';

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
  const profile = formerOf(inbound.snapshots, target, actor);
  if (profile === undefined) return 'dropped';
  const there = { targetId: target.id, targetDestination: destinationOf(profile) };
  return callFor(received, Account.moved.to(actor.id, there));
}

/** The profile of an account that names another one as its alias; undefined where it does not, or is suspended. */
function formerOf(reader: Reader, target: KnownAccount, former: KnownAccount): Profile | undefined {
  const profile = findProfile(reader, target.id);
  if (profile === undefined || target.isSuspended) return undefined;
  const names = target.isLocal ? profile.aliasIds?.includes(former.id) : profile.alsoKnownAs.includes(former.uri);
  return names === true ? profile : undefined;
}

export type MoveServices = Pick<Inbound, 'addresses' | 'snapshots' | 'client' | 'accounts'>;

/** Whether the profile of an account names another one, to which it does not refer yet. */
export function isMoveUnshown({ snapshots, accounts }: MoveServices, { id }: KnownAccount, named?: string): boolean {
  if (named === undefined) return false;
  const movedTo = findProfile(snapshots, id)?.movedTo;
  return movedTo === undefined || accounts.find(named)?.id !== movedTo;
}

interface NamedTarget {
  readonly uri: string;
  /** Where it is not known to name the account. */
  readonly fetch: () => Promise<KnownAccount | undefined>;
  readonly cause: string | undefined;
}

/** Lets the profile of an account refer to the account that it names, if that one names it too. */
export async function showMove(services: MoveServices, account: KnownAccount, target: NamedTarget): Promise<void> {
  const { addresses, snapshots, accounts, client } = services;
  const { uri, fetch, cause } = target;
  const known = accounts.find(uri);
  const isCertain = known !== undefined && formerOf(snapshots, known, account) !== undefined;
  const found = isCertain || addresses.isLocal(uri) ? known : await fetch();
  if (found === undefined || formerOf(snapshots, found, account) === undefined) return;
  const shown = Account.showMove.to(account.id, { targetId: found.id, uri });
  await client.call(shown, traced(flowOfHost(account.host), cause));
}
