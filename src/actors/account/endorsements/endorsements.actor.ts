/** Endorsements: an account features others that it follows; unfollowing ends the endorsement. */
import { type BodyOf, feature } from '../../../runtime/contract.ts';
import { validationFailure } from '../../../runtime/errors.ts';
import type { AccountTurn } from '../account.turn.ts';
import { following } from '../relationships/relationships.state.ts';
import { endEndorsement } from './end-endorsement.ts';
import { endorsementMessages } from './endorsements.messages.ts';
import * as state from './endorsements.state.ts';

const { endorsements, endorsementsByTime } = state;

/** Throws validation for an account that is not followed. */
function endorse(turn: AccountTurn, { targetId }: BodyOf<typeof endorsementMessages.endorse>): undefined {
  const accountId = turn.self.key;
  if (turn.get(following, [accountId, targetId])?.state !== 'accepted')
    throw validationFailure('You must be already following the person you want to endorse');
  if (turn.get(endorsements, [accountId, targetId]) !== undefined) return;
  const endorsementId = turn.nextId();
  turn.put(endorsements, [accountId, targetId], { id: endorsementId });
  turn.put(endorsementsByTime, [accountId, endorsementId], { id: targetId });
}

function unendorse(turn: AccountTurn, { targetId }: BodyOf<typeof endorsementMessages.unendorse>): undefined {
  endEndorsement(turn, targetId);
}

export const endorsementsFeature = feature<AccountTurn>()({
  messages: endorsementMessages,
  handlers: { endorse, unendorse },
  state: [state],
  rules: state.endorsementRules,
});
