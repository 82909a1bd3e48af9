/** What unfavourite and unreblog share (specification 2.6: the answer says that the mark is gone). */
import type { Account } from '../../../actors/account/account.messages.ts';
import { findStatus, type StatusMarks } from '../../../actors/account/statuses/statuses.queries.ts';
import type { Id } from '../../../runtime/ids.ts';
import { flowOfAccount, type Services } from '../../../services/services.ts';
import { type Answer, json } from '../../http/answers.ts';
import type { UserContext } from '../../http/context.ts';
import { renderStatus } from '../status-answers.ts';
import { markedOriginal, referenceTo } from './originals.ts';

/** Throws notFound for a status that the user neither sees nor has marked. */
export async function takeBack(
  { services, grant }: UserContext<Services>,
  statusId: Id,
  mark: keyof StatusMarks,
  message: typeof Account.unfavourite | typeof Account.unreblog,
): Promise<Answer> {
  const { accountId } = grant;
  const before = markedOriginal(services, statusId, accountId, mark);
  await services.client.call(message.to(accountId, referenceTo(before)), flowOfAccount(accountId));
  const after = findStatus(services.snapshots, before.status.id) ?? before;
  return json({ ...renderStatus(services, after, accountId), [mark]: false });
}
