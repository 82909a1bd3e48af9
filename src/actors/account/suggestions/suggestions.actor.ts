/** Suggestions of accounts to follow, stored by the account that may want to follow. */
import { type BodyOf, feature } from '../../../runtime/contract.ts';
import type { AccountTurn } from '../account.turn.ts';
import { suggestionMessages } from './suggestions.messages.ts';
import * as state from './suggestions.state.ts';

function dismissSuggestion(
  turn: AccountTurn,
  { accountId }: BodyOf<typeof suggestionMessages.dismissSuggestion>,
): undefined {
  const key: [bigint, bigint] = [turn.self.key, accountId];
  const before = turn.get(state.suggestions, key);
  if (before !== undefined) turn.put(state.suggestions, key, { ...before, dismissed: true });
}

export const suggestionsFeature = feature<AccountTurn>()({
  messages: suggestionMessages,
  handlers: { dismissSuggestion },
  state: [state],
});
