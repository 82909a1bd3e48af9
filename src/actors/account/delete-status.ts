/**
 * Deleting a status (specification 6.2: Delete). The status is gone at once; what others left on it (favourites,
 * reblogs, replies) is swept afterwards, a slice per turn, however popular it was.
 */
import type { z } from 'zod';
import type { Id } from '../../runtime/ids.ts';
import type { Keyspace } from '../../runtime/storage/keyspace.ts';
import { reachesFollowers } from '../policy/visibility.ts';
import { marked, statusDeleted } from './account.events.ts';
import { Account } from './account.messages.ts';
import type { Status } from './account.records.ts';
import {
  favouriteOfStatusBy,
  favouritesOfStatus,
  reblogOf,
  reblogOfStatusBy,
  reblogsOfStatus,
  replies,
  statuses,
} from './account.state.ts';
import { type AccountTurn, ownStatus } from './account.turn.ts';
import { deliver, tellFollowers } from './reach.ts';
import { factsOf, removeStatus } from './store-status.ts';

type BodyOf<Message extends { body: z.ZodType }> = z.infer<Message['body']>;

const sweepEntriesPerTurn = 200;

export function deleteStatus(turn: AccountTurn, message: BodyOf<typeof Account.deleteStatus>): undefined {
  const status = ownStatus(turn, message.statusId);
  withdraw(turn, status);
  if (status.uri !== undefined || status.reblogOfId !== undefined) return;
  deliver(
    turn,
    {
      kind: 'delete',
      actorId: turn.self.key,
      activityId: turn.nextId(),
      statusId: status.id,
      visibility: status.visibility,
    },
    { toFollowers: reachesFollowers(status), destinations: message.destinations },
  );
}

/** Removes a status of this account and tells everybody on this server who had it. */
export function withdraw(turn: AccountTurn, status: Status): void {
  const facts = factsOf(status);
  removeStatus(turn, status, facts);
  turn.emit(statusDeleted, facts);
  if (reachesFollowers(status)) tellFollowers(turn, 'gone', facts);
  for (const mention of status.mentions) {
    turn.tell(Account.dismissStatus.to(mention.id, { statusId: status.id }));
  }
  if (status.inReplyToId !== undefined && status.inReplyToAccountId !== undefined) {
    turn.tell(
      Account.replyRemoved.to(status.inReplyToAccountId, {
        statusId: status.inReplyToId,
        replyId: status.id,
        visibility: status.visibility,
      }),
    );
  }
  turn.tell(Account.sweepStatus.to(turn.self.key, { statusId: status.id }));
}

export function sweepStatus(turn: AccountTurn, { statusId }: BodyOf<typeof Account.sweepStatus>): undefined {
  if (turn.get(statuses, [statusId]) !== undefined) return;
  let swept = 0;
  for (const { key, value } of turn.range(reblogsOfStatus, [statusId], { limit: sweepEntriesPerTurn })) {
    turn.delete(reblogsOfStatus, key);
    turn.tell(Account.originalDeleted.to(value.id, { statusId }));
    swept += 1;
  }
  for (const space of [favouritesOfStatus, favouriteOfStatusBy, reblogOfStatusBy, replies]) {
    swept += sweep(turn, space as Keyspace<[bigint, bigint], unknown>, statusId, sweepEntriesPerTurn - swept);
  }
  if (swept >= sweepEntriesPerTurn) turn.tell(Account.sweepStatus.to(turn.self.key, { statusId }));
}

function sweep(turn: AccountTurn, space: Keyspace<[bigint, bigint], unknown>, statusId: Id, limit: number): number {
  let swept = 0;
  for (const { key } of turn.range(space, [statusId], { limit })) {
    turn.delete(space, key);
    swept += 1;
  }
  return swept;
}

/** The status that this account had reblogged is gone, and the reblog with it. */
export function originalDeleted(turn: AccountTurn, { statusId }: BodyOf<typeof Account.originalDeleted>): undefined {
  const reblog = turn.get(reblogOf, [turn.self.key, statusId]);
  if (reblog === undefined) return;
  turn.delete(reblogOf, [turn.self.key, statusId]);
  turn.emit(marked, { accountId: turn.self.key, statusId });
  const wrapper = turn.get(statuses, [reblog.id]);
  if (wrapper !== undefined) withdraw(turn, wrapper);
}
