/** What a decision of staff makes of an account, and of its login. */
import { Failure } from '../../../runtime/errors.ts';
import { type Standing, withStanding } from '../../policy/suspension.ts';
import type { AccountTurn } from '../account.turn.ts';
import type { AccountState } from '../local/store-decision.ts';
import { logins } from '../profile/profile.state.ts';
import { ownProfile } from '../profile/profile.turn.ts';

export interface Changes extends Standing {
  readonly disabled?: boolean | undefined;
}

export function ownState(turn: AccountTurn): AccountState {
  return { profile: ownProfile(turn), login: turn.get(logins, [turn.self.key]) };
}

export function changed(
  turn: AccountTurn,
  { profile, login }: AccountState,
  { disabled, ...standing }: Changes,
): AccountState {
  if (disabled !== undefined && login === undefined) throw new Failure('validation');
  // Whoever may sign in again is not remembered, but here.
  const memorial = disabled === false ? false : profile.memorial;
  return {
    profile: { ...withStanding(profile, standing, turn.now), memorial },
    login: login && { ...login, disabled: disabled ?? login.disabled },
  };
}
