/** The keys of a local account; the rest of the profile is changed by the features above it. */
import { type BodyOf, feature } from '../../../runtime/contract.ts';
import type { AccountTurn } from '../account.turn.ts';
import { profileMessages } from './profile.messages.ts';
import type { KeyPair } from './profile.records.ts';
import * as state from './profile.state.ts';
import { ownLogin } from './profile.turn.ts';

/** The first pair is kept; later ones are ignored. */
export function setKeysIfAbsent(turn: AccountTurn, pair: BodyOf<typeof profileMessages.setKeysIfAbsent>): KeyPair {
  ownLogin(turn);
  const present = turn.get(state.keyPairs, [turn.self.key]);
  if (present !== undefined) return present;
  turn.put(state.keyPairs, [turn.self.key], pair);
  return pair;
}

export const profileFeature = feature<AccountTurn>()({
  messages: profileMessages,
  handlers: { setKeysIfAbsent },
  state: [state],
  rules: state.profileRules,
});
