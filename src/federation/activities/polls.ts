/** Votes of remote accounts in local polls, and the totals of remote polls. */
import { Account } from '../../actors/account/account.messages.ts';
import { findStatusRecord } from '../../actors/account/remote/federation.queries.ts';
import type { ActOf } from '../documents/acts.ts';
import { type Applied, callFor, type Inbound, type Received, type ResolvedStatus } from './inbound.ts';
import { receiveNote } from './notes.ts';
import { resolveStatus } from './resolve-status.ts';

/** The author of the poll decides whether the vote is valid. Some servers give votes a content (behaviour of Mastodon). */
export function receiveVote(received: Received, { poll, option, answer }: ActOf<'vote'>): Applied {
  const { inbound, actor } = received;
  const status = inbound.addresses.isLocal(poll) ? resolveStatus(inbound, poll) : undefined;
  if (answer !== undefined && !hasOption(inbound, status, option)) return receiveNote(received, answer);
  if (status === undefined) return 'dropped';
  const { statusId, authorId } = status;
  return callFor(received, Account.receiveVote.to(actor.id, { statusId, authorId, option }));
}

function hasOption({ snapshots }: Inbound, status: ResolvedStatus | undefined, option: string): boolean {
  const poll = status === undefined ? undefined : findStatusRecord(snapshots, status.statusId)?.poll;
  return poll?.options.includes(option) ?? false;
}
