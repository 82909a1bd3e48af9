/** Votes of remote accounts in local polls, and the totals of remote polls. */
import { Account } from '../../actors/account/account.messages.ts';
import type { ActOf } from '../documents/acts.ts';
import { type Applied, callFor, type Received } from './inbound.ts';
import { resolveStatus } from './resolve-status.ts';

/** The author of the poll decides whether the vote is valid. */
export function receiveVote(received: Received, { poll, option }: ActOf<'vote'>): Applied {
  const { inbound, actor } = received;
  const status = inbound.addresses.isLocal(poll) ? resolveStatus(inbound, poll) : undefined;
  if (status === undefined) return 'dropped';
  const { statusId, authorId } = status;
  return callFor(received, Account.receiveVote.to(actor.id, { statusId, authorId, option }));
}
