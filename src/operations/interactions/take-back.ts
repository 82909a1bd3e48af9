/** Shared by removing a favourite and removing a reblog. */
import { Account } from '../../actors/account/account.messages.ts';
import type { Id } from '../../runtime/ids.ts';
import { type AccountCaller, flowOf } from '../caller.ts';
import type { OperationContext } from '../operation.ts';
import { referenceTo, tiedOriginal } from '../statuses/originals.ts';

const messages = { favourited: Account.unfavourite, reblogged: Account.unreblog } as const;

/**
 * Returns the original. Throws Failure notFound for one that the caller neither sees nor has favourited or reblogged.
 */
export async function takeBack(
  { caller, services }: OperationContext<AccountCaller>,
  statusId: Id,
  tie: keyof typeof messages,
): Promise<{ statusId: Id }> {
  const before = tiedOriginal(services, statusId, caller.accountId, tie);
  await services.client.call(messages[tie].to(caller.accountId, referenceTo(before)), flowOf(caller));
  return { statusId: before.status.id };
}
