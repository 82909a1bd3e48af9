/** Deletes old posts of an account by its rule: a search a day, in slices, of which each is an effect. */
import { type BodyOf, feature } from '../../../runtime/contract.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { ownLogin } from '../profile/profile.turn.ts';
import { cleanStatuses } from './cleanup.effects.ts';
import { cleanupMessages } from './cleanup.messages.ts';
import * as state from './cleanup.state.ts';
import { cleanupLimits } from './limits.ts';

const { cleanups } = state;

function changeCleanup(turn: AccountTurn, { policy }: BodyOf<typeof cleanupMessages.changeCleanup>): undefined {
  ownLogin(turn);
  const { key: accountId } = turn.self;
  if (policy === undefined) {
    if (turn.get(cleanups, [accountId]) !== undefined) turn.delete(cleanups, [accountId]);
    return;
  }
  const id = turn.nextId();
  turn.put(cleanups, [accountId], { id, policy });
  turn.schedule(turn.now + cleanupLimits.firstMilliseconds, Account.cleanupDue.to(accountId, { cleanupId: id }));
}

/** Does nothing where the rule has changed since. */
function cleanupDue(turn: AccountTurn, due: BodyOf<typeof cleanupMessages.cleanupDue>): undefined {
  const { key: accountId } = turn.self;
  if (turn.get(cleanups, [accountId])?.id !== due.cleanupId) return;
  turn.effect(cleanStatuses, { accountId, ...due }, Account.cleanupDone);
}

/** Where much was deleted other servers get a pause. */
function cleanupDone(turn: AccountTurn, { deleted, ...done }: BodyOf<typeof cleanupMessages.cleanupDone>): undefined {
  const { key: accountId } = turn.self;
  if (turn.get(cleanups, [accountId])?.id !== done.cleanupId) return;
  const { everyMilliseconds, pauseMilliseconds } = cleanupLimits;
  const pause = done.after === undefined ? everyMilliseconds : deleted > 0 ? pauseMilliseconds : 0;
  if (pause === 0) turn.tell(Account.cleanupDue.to(accountId, done));
  else turn.schedule(turn.now + pause, Account.cleanupDue.to(accountId, done));
}

export const cleanupFeature = feature<AccountTurn>()({
  messages: cleanupMessages,
  handlers: { changeCleanup, cleanupDue, cleanupDone },
  state: [state],
  rules: state.cleanupRules,
});
