/** What turns of other features do with the record of an account's mail. */
import type { AccountTurn } from '../account.turn.ts';
import type { AccountMail } from './mail.records.ts';
import { accountMails } from './mail.state.ts';

export function ownMail(turn: AccountTurn): AccountMail {
  return turn.get(accountMails, [turn.self.key]) ?? {};
}

export function putMail(turn: AccountTurn, mail: AccountMail): void {
  turn.put(accountMails, [turn.self.key], mail);
}

export function forgetMail(turn: AccountTurn): void {
  turn.delete(accountMails, [turn.self.key]);
}
