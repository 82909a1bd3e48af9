/**
 * Lets the e-mail address of a suspended account sign up again (behaviour of the pages of Mastodon): the suspension has blocked
 * it, in all spellings that lead to the same mailbox. The account stays suspended.
 */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import type { Login } from '../../actors/account/profile/profile.records.ts';
import { canonicalEmailList, findAccessBlock } from '../../actors/instance/access/access.queries.ts';
import { validationFailure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { accountName, subordinate } from './local-account.ts';

export const unblockAccountEmail = operation({
  input: z.object({ account: accountName }),
  permission: 'manageUsers',
  audit: 'unblockAccountEmail',
  on: subordinate,
  /** Throws Failure notFound and forbidden, and validation where its address is not blocked. */
  async run({ caller, services, audit }, _given, { id, login }): Promise<void> {
    if (!isEmailBlocked(services.snapshots, id, login))
      throw validationFailure('The e-mail address of the account is not blocked.');
    await services.client.call(Account.unblockEmail.to(id, { audit }), flowOf(caller));
  },
});

/** Whether the suspension of the account has blocked its address, and nobody has unblocked it since. */
export function isEmailBlocked(reader: Reader, accountId: Id, { emailBlock }: Pick<Login, 'emailBlock'>): boolean {
  if (emailBlock === undefined) return false;
  return findAccessBlock(reader, canonicalEmailList, emailBlock)?.accountId === accountId;
}
