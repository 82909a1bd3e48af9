/**
 * A remote status answers one that became known only later: it becomes a reply, and what answers it, and so on, belongs to
 * the thread of its parent from then on. Private mentions stay where they are: conversations are kept by thread.
 */
import type { BodyOf } from '../../../runtime/contract.ts';
import type { Id } from '../../../runtime/ids.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { tellFollowers } from '../relationships/follower-distribution.ts';
import { factsOf } from '../statuses/status-facts.ts';
import { statusCounted } from '../statuses/statuses.events.ts';
import { type Status, threadOf } from '../statuses/statuses.records.ts';
import { replies, statuses } from '../statuses/statuses.state.ts';
import { putStatus } from '../statuses/statuses.turn.ts';
import { writeStatus } from '../statuses/store-status.ts';
import { tellParent } from '../statuses/tell-concerned.ts';
import { replyAttached } from './threads.events.ts';
import { mutedThreads } from './threads.state.ts';

const repliesPerTurn = 200;

export function attachReply(turn: AccountTurn, message: BodyOf<typeof Account.attachReply>): undefined {
  const { statusId, parentId, parentAuthorId, threadId, replyAuthorization } = message;
  const before = turn.get(statuses, [statusId]);
  if (before?.answersUnknown !== true || before.visibility === 'direct' || threadId === statusId) return;
  const parent = { inReplyToId: parentId, inReplyToAccountId: parentAuthorId, threadId };
  const proof = replyAuthorization === undefined ? {} : { replyAuthorization };
  const status: Status = { ...before, ...parent, ...proof, answersUnknown: undefined };
  const facts = factsOf(status);
  writeStatus(turn, status, facts);
  turn.emit(replyAttached, facts);
  tellFollowers(turn, 'attached', facts);
  const reply = tellParent(turn, status);
  if (reply !== undefined) turn.tell(reply);
  if (replyAuthorization !== undefined) {
    const authorized = {
      statusId: parentId,
      replyId: statusId,
      by: turn.self.key,
      authorizationUri: replyAuthorization,
    };
    turn.tell(Account.replyAuthorized.to(parentAuthorId, authorized));
  }
  moveReplies(turn, { statusId, threadId });
}

/** Runs on the author of a reply in a thread that was attached. Where it is in the thread already, so is what answers it. */
export function moveToThread(turn: AccountTurn, message: BodyOf<typeof Account.moveToThread>): undefined {
  const { statusId, threadId } = message;
  const before = turn.get(statuses, [statusId]);
  if (before === undefined || before.visibility === 'direct' || threadOf(before) === threadId) return;
  putStatus(turn, { ...before, threadId });
  keepMute(turn, threadOf(before), threadId);
  turn.emit(statusCounted, { id: statusId });
  moveReplies(turn, { statusId, threadId });
}

export function moveReplies(
  turn: AccountTurn,
  { statusId, threadId, after }: BodyOf<typeof Account.moveReplies>,
): undefined {
  const from = after === undefined ? {} : { from: after + 1n };
  const some = [...turn.range(replies, [statusId], { ...from, limit: repliesPerTurn })];
  for (const { key, value } of some)
    if (value.authorId !== undefined)
      turn.tell(Account.moveToThread.to(value.authorId, { statusId: key[1], threadId }));
  if (some.length < repliesPerTurn) return;
  turn.tell(Account.moveReplies.to(turn.self.key, { statusId, threadId, after: some.at(-1)!.key[1] }));
}

/** Whoever has muted the thread that he takes part in gets no notifications from the whole of it. */
function keepMute(turn: AccountTurn, formerId: Id, threadId: Id): void {
  const { key: accountId } = turn.self;
  if (turn.get(mutedThreads, [accountId, formerId]) !== undefined) turn.put(mutedThreads, [accountId, threadId], true);
}
