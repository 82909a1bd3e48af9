/** A conversation as its owner is shown it: with its last status, and with everybody whom that is from or for. */
import { findConversation } from '../../actors/account/conversations/conversations.queries.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Snapshots } from '../../runtime/storage/snapshots.ts';
import type { Encoded, KnownAccount } from './known-status.ts';
import { participantsOf } from './participants.ts';
import type { Presenter } from './presenter.ts';
import type { ShownStatus } from './shown-status.ts';

export interface ShownConversation<StatusBody extends Encoded, AccountBody extends Encoded, StateBody> {
  readonly threadId: Id;
  readonly isUnread: boolean;
  /** Without the owner, except where nobody else takes part. */
  readonly accounts: readonly KnownAccount<AccountBody>[];
  readonly lastStatus: ShownStatus<StatusBody, AccountBody, StateBody>;
}

/** Undefined for one that there is not, or whose last status its owner is not shown any more. */
export function showConversation<StatusBody extends Encoded, AccountBody extends Encoded, StateBody>(
  snapshots: Snapshots,
  presenter: Presenter<StatusBody, AccountBody, StateBody>,
  accountId: Id,
  threadId: Id,
): ShownConversation<StatusBody, AccountBody, StateBody> | undefined {
  const conversation = findConversation(snapshots, accountId, threadId);
  const lastStatus =
    conversation === undefined ? undefined : presenter.one(conversation.lastStatusId, accountId, 'single');
  if (conversation === undefined || lastStatus === undefined) return undefined;
  const accounts = participantsOf(lastStatus.status, accountId).flatMap((id) => presenter.account(id) ?? []);
  return { threadId, isUnread: conversation.isUnread, accounts, lastStatus };
}
