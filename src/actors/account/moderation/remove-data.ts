/**
 * Removes what an account left here: the profile stays, empty and suspended, so that nobody takes its name. Servers that may
 * know a local account are told first, while its followers are still there; then what others see of it goes, a slice per
 * turn; then a local account does by itself what its owner would do about everything else (removed-lists.ts).
 */
import type { BodyOf } from '../../../runtime/contract.ts';
import type { Id } from '../../../runtime/ids.ts';
import { Instance, instanceKey } from '../../instance/instance.messages.ts';
import { Session, userKey } from '../../session/session.messages.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { forgetDismissed } from '../announcements/announcements.turn.ts';
import { forgetMarkers } from '../markers/markers.turn.ts';
import { forgetPolicy } from '../notifications/forget-policy.ts';
import { replacedPictures } from '../profile/pictures.ts';
import { profileChanged } from '../profile/profile.events.ts';
import type { Login, Profile } from '../profile/profile.records.ts';
import { logins } from '../profile/profile.state.ts';
import { ownProfile, putLogin } from '../profile/profile.turn.ts';
import { storeProfile } from '../profile/store-profile.ts';
import { deliver } from '../relationships/follower-distribution.ts';
import { emptied } from '../remote/purge.ts';
import { forgetAllSignIns } from '../sign-ins/sign-ins.turn.ts';
import { forgetAllSuggestions } from '../suggestions/note-interaction.ts';
import { forgetTwoFactor } from '../two-factor/two-factor.turn.ts';
import { findServers } from './moderation.effects.ts';
import type { moderationMessages } from './moderation.messages.ts';
import type { ServerPosition } from './moderation.records.ts';
import { messagesOfList, removedLists } from './removed-lists.ts';

const removedPerTurn = 100;

/** `also`: what changes besides of a local account whose owner has deleted it. */
export function removeData(
  turn: AccountTurn,
  profile: Profile,
  also: { readonly profile?: Partial<Profile>; readonly login?: Partial<Login> } = {},
): void {
  const { key: accountId } = turn.self;
  const login = turn.get(logins, [accountId]);
  const pictures = login && replacedPictures(turn, profile, { avatarPicture: null, headerPicture: null });
  const removed = { dataKeptUntil: undefined, dataRemovedAt: turn.now };
  storeProfile(turn, { ...emptied(profile), ...pictures, ...removed, ...also.profile }, profile);
  turn.emit(profileChanged, { accountId });
  if (login === undefined) {
    // Whoever has followed it until now is told.
    const { domain = '' } = profile;
    turn.tell(Account.severFollows.to(accountId, { domain, isPurge: true, isAlone: true }));
    return;
  }
  shutLogin(turn, { ...login, ...also.login });
  const activityId = turn.nextId();
  deliver(turn, deletionOf(turn, activityId), { toFollowers: true, toRelays: true, destinations: [] });
  tellServers(turn, activityId, { partition: 0 });
}

function shutLogin(turn: AccountTurn, login: Login): void {
  const user = userKey(turn.self.key);
  putLogin(turn, { ...login, passwordHash: '', disabled: true, deletesAt: undefined });
  forgetAllSignIns(turn);
  forgetTwoFactor(turn);
  turn.tell(Session.revokeTokensOfUser.to(user, {}));
  turn.tell(Session.closeBrowsersOfUser.to(user, {}));
  turn.tell(Instance.forgetInvites.to(instanceKey, { creatorId: turn.self.key }));
}

function deletionOf(turn: AccountTurn, activityId: Id) {
  return { kind: 'deleteAccount', actorId: turn.self.key, activityId } as const;
}

function tellServers(turn: AccountTurn, activityId: Id, from: ServerPosition): void {
  turn.effect(findServers, { accountId: turn.self.key, activityId, from }, Account.serversFound);
}

/** All of them get the same activity. */
export function serversFound(
  turn: AccountTurn,
  { activityId, destinations, next }: BodyOf<typeof moderationMessages.serversFound>,
): undefined {
  deliver(turn, deletionOf(turn, activityId), { toFollowers: false, destinations });
  if (next !== undefined) tellServers(turn, activityId, next);
  else turn.tell(Account.purge.to(turn.self.key, {}));
}

/** What no message of its owner removes; of everything but permissions there is little. */
function forgetRest(turn: AccountTurn, list: number, slice: number): undefined {
  forgetMarkers(turn);
  forgetDismissed(turn);
  forgetAllSuggestions(turn);
  turn.tell(Account.forgetArchive.to(turn.self.key, {}));
  turn.tell(Account.changeCleanup.to(turn.self.key, {}));
  if (forgetPolicy(turn, removedPerTurn)) turn.tell(Account.removeOwn.to(turn.self.key, { list, slice: slice + 1 }));
}

/** Goes on from where it stopped, also past what a handler refused to remove. */
export function removeOwn(
  turn: AccountTurn,
  { list, after, slice = 0 }: BodyOf<typeof moderationMessages.removeOwn>,
): undefined {
  const { key: accountId } = turn.self;
  if (ownProfile(turn).dataRemovedAt === undefined) return;
  const removed = removedLists[list];
  if (removed === undefined) return forgetRest(turn, list, slice);
  const { messages, last } = messagesOfList(turn, removed, after, removedPerTurn);
  for (const message of messages) turn.tell(message);
  turn.tell(Account.removeOwn.to(accountId, last === undefined ? { list: list + 1 } : { list, after: last }));
}
