/** Staff purge the server of a remote account: it is known here no longer, until its server shows it again. */
import type { BodyOf } from '../../../runtime/contract.ts';
import { asPurged } from '../../policy/suspension.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { profileChanged } from '../profile/profile.events.ts';
import { profiles } from '../profile/profile.state.ts';
import { storeProfile } from '../profile/store-profile.ts';
import { emptied } from './purge.ts';

/** Follows are severed first, so that people here are told; everything else goes after them. */
export function purgeKnown(turn: AccountTurn, { domain }: BodyOf<typeof Account.purgeKnown>): undefined {
  const { key: accountId } = turn.self;
  const profile = turn.get(profiles, [accountId]);
  if (profile?.remote === undefined || profile.purgedAt !== undefined) return;
  storeProfile(turn, asPurged(emptied(profile), turn.now), profile);
  turn.emit(profileChanged, { accountId });
  turn.tell(Account.severFollows.to(accountId, { domain, isPurge: true }));
}
