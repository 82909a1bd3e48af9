/**
 * Removes what a suspended account left here, once it was kept long enough, or at once where staff want that: the profile
 * stays, empty and suspended, so that nobody takes its name. What others see of it goes first, a slice per turn; then a
 * local account does by itself what its owner would do about everything else (removed-lists.ts).
 */
import type { BodyOf } from '../../../runtime/contract.ts';
import { Failure } from '../../../runtime/errors.ts';
import { recordAudit } from '../../audit.state.ts';
import { Session, userKey } from '../../session/session.messages.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { replacedPictures } from '../profile/pictures.ts';
import { profileChanged } from '../profile/profile.events.ts';
import type { Login, Profile } from '../profile/profile.records.ts';
import { logins, profiles } from '../profile/profile.state.ts';
import { ownProfile, putLogin } from '../profile/profile.turn.ts';
import { storeProfile } from '../profile/store-profile.ts';
import { deliver } from '../relationships/follower-distribution.ts';
import { emptied } from '../remote/purge.ts';
import { forgetAllSignIns } from '../sign-ins/sign-ins.turn.ts';
import { forgetTwoFactor } from '../two-factor/two-factor.turn.ts';
import type { moderationMessages } from './moderation.messages.ts';
import { messagesOfList, removedLists } from './removed-lists.ts';

const removedPerTurn = 100;

/** Does nothing where the suspension was undone, or began again later. */
export function suspendedDataDue(
  turn: AccountTurn,
  { until }: BodyOf<typeof moderationMessages.suspendedDataDue>,
): undefined {
  const profile = turn.get(profiles, [turn.self.key]);
  if (profile?.dataKeptUntil === until) removeData(turn, profile);
}

export function removeSuspended(
  turn: AccountTurn,
  { audit }: BodyOf<typeof moderationMessages.removeSuspended>,
): undefined {
  const profile = ownProfile(turn);
  const isTemporary = profile.suspendedAt !== undefined && profile.dataRemovedAt === undefined;
  if (!isTemporary || profile.isSuspendedByOrigin === true) throw new Failure('forbidden');
  recordAudit(turn, audit, { targetId: turn.self.key, name: profile.username });
  removeData(turn, profile);
}

function removeData(turn: AccountTurn, profile: Profile): void {
  const { key: accountId } = turn.self;
  const login = turn.get(logins, [accountId]);
  const pictures = login && replacedPictures(turn, profile, { avatarPicture: null, headerPicture: null });
  const removed = { dataKeptUntil: undefined, dataRemovedAt: turn.now };
  storeProfile(turn, { ...emptied(profile), ...pictures, ...removed }, profile);
  if (login !== undefined) shutLogin(turn, login);
  turn.emit(profileChanged, { accountId });
  turn.tell(Account.purge.to(accountId, {}));
}

/** The address stays reserved. Other servers are told before the followers are gone. */
function shutLogin(turn: AccountTurn, login: Login): void {
  const { key: accountId } = turn.self;
  putLogin(turn, { ...login, passwordHash: '', disabled: true });
  forgetAllSignIns(turn);
  forgetTwoFactor(turn);
  turn.tell(Session.revokeTokensOfUser.to(userKey(accountId), {}));
  const intent = { kind: 'deleteAccount', actorId: accountId, activityId: turn.nextId() } as const;
  deliver(turn, intent, { toFollowers: true, toRelays: true, destinations: [] });
}

/** Goes on from where it stopped, also past what a handler refused to remove. */
export function removeOwn(turn: AccountTurn, { list, after }: BodyOf<typeof moderationMessages.removeOwn>): undefined {
  const { key: accountId } = turn.self;
  const removed = removedLists[list];
  if (removed === undefined || ownProfile(turn).dataRemovedAt === undefined) return;
  const { messages, last } = messagesOfList(turn, removed, after, removedPerTurn);
  for (const message of messages) turn.tell(message);
  turn.tell(Account.removeOwn.to(accountId, last === undefined ? { list: list + 1 } : { list, after: last }));
}
