/** Makes a reply of a remote status whose parent was unknown when it arrived, and is known now. */
import { Account } from '../../actors/account/account.messages.ts';
import type { Status } from '../../actors/account/statuses/statuses.records.ts';
import { isForEverybody } from '../../actors/policy/visibility.ts';
import { traced } from '../../runtime/flow.ts';
import type { Inbound } from '../activities/inbound.ts';
import { permissionToReply } from '../activities/reply-permission.ts';
import { resolveStatus } from '../activities/resolve-status.ts';
import { ignoreFailure } from '../failures.ts';

/** `parentUri`: what the status answers, by its own document. True where it answers nothing unknown any more. */
export async function attachToParent(
  inbound: Inbound,
  status: Status,
  parentUri: string,
  { flow, cause }: { readonly flow: string; readonly cause: string | undefined },
): Promise<boolean> {
  const parent = resolveStatus(inbound, parentUri);
  // A reply that its author may not see would be counted on somebody's private post; and a thread is no circle.
  if (parent === undefined || !isForEverybody(parent) || parent.threadId === status.id) return false;
  if (permissionToReply(inbound, status.accountId, parent, status) !== 'automatic') return false;
  const { statusId: parentId, authorId: parentAuthorId, threadId } = parent;
  const message = { statusId: status.id, parentId, parentAuthorId, threadId };
  await inbound.client
    .call(Account.attachReply.to(status.accountId, message), traced(flow, cause))
    .catch(ignoreFailure);
  return true;
}
