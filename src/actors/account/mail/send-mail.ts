/** Sends mail to an account: appends it to the mail log of the partition of its address, in the commit of its cause. */
import { slotOfKey } from '../../../runtime/ids.ts';
import { PartitionActor } from '../../partition/partition.messages.ts';
import { hostOfAddress } from '../../policy/email-address.ts';
import type { AccountTurn } from '../account.turn.ts';
import { logins } from '../profile/profile.state.ts';
import type { MailContent } from './mail.records.ts';

/** To the address of the account, which must be confirmed. Does nothing on an account that is not local. */
export function sendMail(turn: AccountTurn, content: MailContent): void {
  const login = turn.get(logins, [turn.self.key]);
  if (login?.confirmed === true) sendMailTo(turn, login.email, content);
}

/** To an address that is not the account's, or not yet, or no longer. */
export function sendMailTo(turn: AccountTurn, email: string, content: MailContent): void {
  const host = hostOfAddress(email);
  if (host === undefined) return;
  const partition = BigInt(turn.partitionOf(slotOfKey(host)));
  turn.tell(PartitionActor.mail.to(partition, { host, email, accountId: turn.self.key, content }));
}
