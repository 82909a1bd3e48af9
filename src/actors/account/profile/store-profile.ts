/**
 * Writing a profile, with the indexes by which it is found: by the words of its names, and among the accounts that want
 * to be found. Nothing else writes profiles whose names change.
 */
import { startOfText } from '../../../runtime/storage/keyspace.ts';
import { accountNames, discoverableAccounts } from '../../search.state.ts';
import type { AccountTurn } from '../account.turn.ts';
import { wordsOfNames } from './account-search.queries.ts';
import type { Profile } from './profile.records.ts';
import { profiles } from './profile.state.ts';

export function storeProfile(turn: AccountTurn, profile: Profile, before: Profile | undefined): void {
  const accountId = turn.self.key;
  turn.put(profiles, [accountId], profile);
  const words = nameWords(profile);
  const wordsBefore = before === undefined ? [] : nameWords(before);
  for (const word of wordsBefore) if (!words.includes(word)) turn.delete(accountNames, [word, accountId]);
  for (const word of words) if (!wordsBefore.includes(word)) turn.put(accountNames, [word, accountId], true);
  const isListed = isDiscoverable(profile);
  if (isListed === (before !== undefined && isDiscoverable(before))) return;
  if (isListed) turn.put(discoverableAccounts, [accountId], { local: profile.remote === undefined });
  else turn.delete(discoverableAccounts, [accountId]);
}

/** Each word once, as the index has it: two long ones may begin alike. */
function nameWords(profile: Profile): string[] {
  return profile.deletedRemotelyAt === undefined ? [...new Set(wordsOfNames(profile).map(startOfText))] : [];
}

function isDiscoverable({ discoverable, deletedRemotelyAt }: Profile): boolean {
  return discoverable === true && deletedRemotelyAt === undefined;
}
