/** Reads the mail of an account. */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import type { AccountMail } from './mail.records.ts';
import { accountMails } from './mail.state.ts';

export function mailOf(reader: Reader, accountId: Id): AccountMail {
  return reader.get(accountMails, [accountId]) ?? {};
}
