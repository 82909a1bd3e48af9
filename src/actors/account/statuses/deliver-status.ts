/** Tells other servers something about a status of this account. */
import type { Destination, Intent } from '../../intents.ts';
import type { AccountTurn } from '../account.turn.ts';
import { deliver } from '../relationships/follower-distribution.ts';
import type { Status } from './statuses.records.ts';

interface Audience {
  readonly toFollowers: boolean;
  readonly toRelays?: boolean;
  readonly destinations: readonly Destination[];
}

/** Does nothing for one that stays on this server. */
export function deliverStatus(
  turn: AccountTurn,
  { localOnly }: Pick<Status, 'localOnly'>,
  intent: Intent,
  audience: Audience,
): void {
  if (localOnly !== true) deliver(turn, intent, audience);
}
