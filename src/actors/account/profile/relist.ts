/** Keeps the indexes by which staff find an account: every change of its profile or its login goes through here. */
import { accountBeginnings, type Beginning, beginningsOf, listedAccounts } from '../../account-lists.state.ts';
import { listsOf, startsOf } from '../../policy/account-lists.ts';
import type { AccountTurn } from '../account.turn.ts';
import type { Login, Profile } from './profile.records.ts';

interface Stored {
  readonly profile: Profile | undefined;
  readonly login: Login | undefined;
}

/** After the profile or the login has changed. */
export function relist(turn: AccountTurn, before: Stored, after: Stored): void {
  const { key: accountId } = turn.self;
  const [former, present] = [entriesOf(before), entriesOf(after)];
  for (const list of former.lists) if (!present.lists.has(list)) turn.delete(listedAccounts, [list, accountId]);
  for (const list of present.lists) if (!former.lists.has(list)) turn.put(listedAccounts, [list, accountId], true);
  for (const [what, start] of former.starts)
    if (present.starts.get(what) !== start) turn.delete(accountBeginnings, [beginningsOf[what], start, accountId]);
  for (const [what, start] of present.starts)
    if (former.starts.get(what) !== start) turn.put(accountBeginnings, [beginningsOf[what], start, accountId], true);
}

function entriesOf({ profile, login }: Stored) {
  if (profile === undefined) return { lists: new Set<string>(), starts: new Map<Beginning, string>() };
  return { lists: new Set(listsOf(profile, login)), starts: new Map(startsOf(profile, login)) };
}
