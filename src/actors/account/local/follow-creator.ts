/** An account that may be used from now on follows whoever has invited it, where the invite says so: once. */
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import type { Login } from '../profile/profile.records.ts';
import { followCreator } from './local.effects.ts';

/** The login to store. */
export function followingCreator(turn: AccountTurn, login: Login): Login {
  const { invitation } = login;
  if (invitation?.follows !== true || invitation.creatorId === undefined) return login;
  const { inviteId, creatorId } = invitation;
  turn.effect(followCreator, { accountId: turn.self.key, creatorId }, Account.creatorFollowed);
  return { ...login, invitation: { inviteId, creatorId } };
}

/** Nothing is left to do. */
export function creatorFollowed(): undefined {
  return undefined;
}
