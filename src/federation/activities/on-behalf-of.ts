/**
 * Who signs the request for what another server shows to some only: an account of this server that may see it, as far as
 * is known (behaviour of Mastodon). Servers that authorise by account answer nobody else, not even the server's own actor.
 */
import { findProfile, localFollowersOf } from '../../actors/account/remote/federation.queries.ts';
import type { Status } from '../../actors/account/statuses/statuses.records.ts';
import { isForEverybody } from '../../actors/policy/visibility.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Activity } from '../documents/acts.ts';
import { type Audience, isPublic } from '../documents/audience.ts';
import type { KnownAccount } from '../known-accounts.ts';
import { type Inbound, localAccount } from './inbound.ts';

/** Followers that are looked at: the first may be suspended. */
const followersMax = 20;

/**
 * For what an activity refers to: the owner of the inbox to which it came, else the first local account that it names,
 * else a local follower of its actor. Undefined, for the server's own actor, where the activity is for everybody.
 */
export function onBehalfOf(
  inbound: Inbound,
  activity: Activity,
  actor: KnownAccount,
  recipient?: KnownAccount,
): Id | undefined {
  const audiences = audiencesOf(activity);
  if (audiences.some(isPublic)) return undefined;
  const named = audiences.flatMap(({ to, cc }) => [...to, ...cc].map((name) => localAccount(inbound, name)));
  const first = [recipient, ...named].find((account) => account !== undefined && !account.isSuspended);
  return first?.id ?? followerOf(inbound, actor.id);
}

/** The same for a status that is known. */
export function onBehalfOfReaders(inbound: Inbound, status: Status): Id | undefined {
  if (isForEverybody(status)) return undefined;
  const named = [...status.mentions.map(({ id }) => id), ...(status.addressed ?? [])];
  return named.find((id) => maySign(inbound, id)) ?? followerOf(inbound, status.accountId);
}

/** The activity's, and those of the objects in it. */
function audiencesOf({ audience, acts }: Activity): Audience[] {
  return [audience, ...acts.flatMap((act) => ('note' in act && act.note !== undefined ? [act.note] : []))];
}

function followerOf(inbound: Inbound, accountId: Id): Id | undefined {
  return localFollowersOf(inbound.snapshots, accountId, followersMax).find((id) => maySign(inbound, id));
}

function maySign({ snapshots }: Inbound, accountId: Id): boolean {
  const profile = findProfile(snapshots, accountId);
  return profile !== undefined && profile.remote === undefined && profile.suspendedAt === undefined;
}
