/** Asks by mail to confirm an address of the account. */
import type { AccountTurn } from '../account.turn.ts';
import { accountMails } from './mail.state.ts';
import { sendMailTo } from './send-mail.ts';

const hour = 60 * 60 * 1_000;
const validMilliseconds = 48 * hour;
/** A request that is valid for longer is told again, so that the links of all mails hold. */
const renewedBeforeEndMilliseconds = 24 * hour;

export function askToConfirm(turn: AccountTurn, email: string): void {
  const { key } = turn.self;
  const before = turn.get(accountMails, [key]) ?? {};
  const { confirmation } = before;
  const isFresh = confirmation?.email === email && confirmation.expiresAt - turn.now > renewedBeforeEndMilliseconds;
  const asked = isFresh ? confirmation : { requestId: turn.nextId(), expiresAt: turn.now + validMilliseconds, email };
  if (!isFresh) turn.put(accountMails, [key], { ...before, confirmation: asked });
  sendMailTo(turn, email, { kind: 'confirmation', requestId: asked.requestId });
}
