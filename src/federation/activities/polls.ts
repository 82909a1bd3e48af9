/** Votes of remote accounts in local polls, and the totals of remote polls. */
import { Account } from '../../actors/account/account.messages.ts';
import { flowOfHost } from '../../services/services.ts';
import type { ActOf } from '../documents/acts.ts';
import type { KnownAccount } from '../known-accounts.ts';
import { type Applied, done, type Inbound } from './inbound.ts';
import { resolveStatus } from './resolve-status.ts';

/** The author of the poll decides whether the vote is valid. */
export function receiveVote(inbound: Inbound, { poll, option }: ActOf<'vote'>, actor: KnownAccount): Applied {
  const status = inbound.addresses.isLocal(poll) ? resolveStatus(inbound, poll) : undefined;
  if (status === undefined) return 'dropped';
  const { statusId, authorId } = status;
  const message = Account.receiveVote.to(actor.id, { statusId, authorId, option });
  return done(inbound.client.call(message, flowOfHost(actor.host)));
}
