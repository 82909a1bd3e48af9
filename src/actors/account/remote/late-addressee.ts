/** A status that comes to several inboxes of this server without naming their owners, as by `bcc`. */

import { type BodyOf, slotOfActor } from '../../../runtime/contract.ts';
import { PartitionActor } from '../../partition/partition.messages.ts';
import { isForEverybody } from '../../policy/visibility.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { ownProfile } from '../profile/profile.turn.ts';
import { statusLimits } from '../statuses/limits.ts';
import { factsOf } from '../statuses/status-facts.ts';
import { statusCounted } from '../statuses/statuses.events.ts';
import { writeStatus } from '../statuses/store-status.ts';
import { mentionIn } from '../statuses/tell-concerned.ts';
import { ownStatusOfUri } from './status-of-uri.ts';

/**
 * One more account may see it, and has it in its home or is notified of it; nobody else gets it again. May be repeated.
 */
export function receiveAddressee(turn: AccountTurn, message: BodyOf<typeof Account.receiveAddressee>): undefined {
  const { uri, addresseeId, isNotified } = message;
  if (ownProfile(turn).suspendedAt !== undefined) return;
  const status = ownStatusOfUri(turn, uri);
  if (status === undefined || status.reblogOfId !== undefined || isForEverybody(status)) return;
  if (status.heldReply !== undefined) return;
  const { mentions, addressed: before = [] } = status;
  if (mentions.some(({ id }) => id === addresseeId) || before.includes(addresseeId)) return;
  if (before.length >= statusLimits.addressedMax) return;
  const addressed = { ...status, addressed: [...before, addresseeId] };
  const facts = factsOf(addressed);
  writeStatus(turn, addressed, facts);
  turn.emit(statusCounted, { id: status.id });
  if (isNotified) turn.tell(Account.mentioned.to(addresseeId, mentionIn(turn, addressed)));
  else if (status.visibility === 'direct') {
    const theirs = { ...facts, mentions: [], addressed: [addresseeId] };
    turn.tell(PartitionActor.arrived.to(BigInt(turn.partitionOf(slotOfActor(addresseeId))), theirs));
  }
}
