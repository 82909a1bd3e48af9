/**
 * Profiles of other servers' accounts, as those servers describe them: translated, with the sender's authority checked
 * before. Every message may be repeated; the second time changes nothing.
 */

import type { BodyOf } from '../../../runtime/contract.ts';
import type { Id } from '../../../runtime/ids.ts';
import { Directory, nameOfHandle } from '../../directory/directory.messages.ts';
import { isSuspendedHere } from '../../policy/suspension.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { featurings } from '../collections/collections.state.ts';
import { profileChanged } from '../profile/profile.events.ts';
import type { Profile } from '../profile/profile.records.ts';
import { profiles } from '../profile/profile.state.ts';
import { ownProfile, putProfile } from '../profile/profile.turn.ts';
import { storeProfile } from '../profile/store-profile.ts';
import { isOvertaken } from '../withdrawals/withdrawals.turn.ts';
import { hasMoved } from './refresh.ts';

/** A remote profile as its server shows it now. Decisions of this server about the account stay. */
export function learnProfile(
  turn: AccountTurn,
  { profile, signedAt }: BodyOf<typeof Account.learnProfile>,
): { accountId: Id } {
  const accountId = turn.self.key;
  if (isOvertaken(turn, 'profile', signedAt)) return { accountId };
  const before = turn.get(profiles, [accountId]);
  const kept = before === undefined ? {} : keptOf(before, profile, signedAt !== undefined);
  const suspension = suspensionOf(before, profile, turn.now);
  const times = { updatedAt: turn.now, fetchedAt: turn.now };
  storeProfile(turn, { ...profile, ...kept, ...suspension, ...times, id: accountId }, before);
  if (before?.username !== profile.username || before.domain !== profile.domain) {
    turn.tell(Directory.point.to(nameOfHandle(profile.username, profile.domain), { accountId }));
  }
  if (before !== undefined) turn.emit(profileChanged, { accountId });
  if (before?.remote !== undefined && profile.remote !== undefined && hasMoved(before.remote, profile.remote))
    turn.tell(Account.tellInbox.to(accountId, {}));
  // Items that were added before items stored an inbox have none.
  else if (isFeatured(turn)) turn.tell(Account.tellInbox.to(accountId, { afterCollectionId: 0n }));
  return { accountId };
}

function isFeatured(turn: AccountTurn): boolean {
  for (const _featuring of turn.range(featurings, [turn.self.key], { limit: 1 })) return true;
  return false;
}

/** What the profile refers to: nobody is led there, which takes a Move (behaviour of the Mastodon API). */
export function showMove(turn: AccountTurn, { targetId, uri }: BodyOf<typeof Account.showMove>): undefined {
  const profile = ownProfile(turn);
  if (profile.remote?.movedTo !== uri || profile.movedTo === targetId || targetId === turn.self.key) return;
  putProfile(turn, { ...profile, movedTo: targetId });
  turn.emit(profileChanged, { accountId: turn.self.key });
}

export function receiveHiding(turn: AccountTurn, { hideCollections }: BodyOf<typeof Account.receiveHiding>): undefined {
  const profile = ownProfile(turn);
  if (profile.remote === undefined || profile.hideCollections === hideCollections) return;
  putProfile(turn, { ...profile, hideCollections });
  turn.emit(profileChanged, { accountId: turn.self.key });
}

function keptOf(before: Profile, { remote }: Profile, isUpdate: boolean): Partial<Profile> {
  const { deletedRemotelyAt, limited, byDomain, hideCollections, createdAt, movedAt } = before;
  const { pinsAskedAt, collectionsAskedAt, followedAgainAt, followersAskedAt } = before;
  const { sensitized, dataKeptUntil, dataRemovedAt } = before;
  const named = remote?.movedTo;
  // An account whose server no longer names another one is in use again; one that names a third has moved on.
  const hasMovedOn = before.remote?.movedTo !== undefined && before.remote.movedTo !== named;
  const movedTo = named === undefined || hasMovedOn ? undefined : before.movedTo;
  // No Update says whether the account hides its lists: they are asked for again when somebody looks.
  const asked = {
    pinsAskedAt: isUpdate ? undefined : pinsAskedAt,
    collectionsAskedAt,
    followedAgainAt,
    followersAskedAt,
  };
  const decided = { limited, byDomain, sensitized, dataKeptUntil, dataRemovedAt };
  return { ...decided, deletedRemotelyAt, hideCollections, createdAt, movedAt, movedTo, ...asked };
}

/**
 * This server's decision stays, whatever the other server says; a suspension by the other server ends when it says so.
 */
function suspensionOf(
  before: Profile | undefined,
  { isSuspendedByOrigin }: Profile,
  now: number,
): Pick<Profile, 'suspendedAt' | 'isSuspendedByOrigin'> {
  if (before?.byDomain?.severity === 'suspend')
    return { suspendedAt: before.suspendedAt, isSuspendedByOrigin: before.isSuspendedByOrigin };
  if (before !== undefined && isSuspendedHere(before))
    return { suspendedAt: before.suspendedAt, isSuspendedByOrigin: undefined };
  if (isSuspendedByOrigin !== true) return { suspendedAt: undefined, isSuspendedByOrigin: undefined };
  return { suspendedAt: before?.suspendedAt ?? now, isSuspendedByOrigin };
}
