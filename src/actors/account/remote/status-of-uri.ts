/** Finds statuses of a remote account by their ActivityPub ids. */
import { slotOfId } from '../../../runtime/ids.ts';
import type { AccountTurn } from '../account.turn.ts';
import type { Status } from '../statuses/statuses.records.ts';
import { statusByUri, statuses } from '../statuses/statuses.state.ts';

/**
 * The status or reblog of this account with this id. Undefined also where the id is that of another account: the index is
 * the partition's, and a turn cannot read the statuses of other slots.
 */
export function ownStatusOfUri(turn: AccountTurn, uri: string): Status | undefined {
  const known = turn.get(statusByUri, [uri]);
  if (known === undefined || slotOfId(known.id) !== slotOfId(turn.self.key)) return undefined;
  const status = turn.get(statuses, [known.id]);
  return status?.accountId === turn.self.key ? status : undefined;
}
