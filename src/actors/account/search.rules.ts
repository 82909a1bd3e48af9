/** What must hold between accounts, statuses and the names in the search index. */
import { counterparts, isKey, type Rule, rule } from '../../runtime/storage/rules.ts';
import { accountBeginnings, beginningsOf, listedAccounts } from '../account-lists.state.ts';
import { listsOf, startsOf } from '../policy/account-lists.ts';
import { isInTagTimelines } from '../policy/visibility.ts';
import {
  accountNames,
  accountsOfHosts,
  discoverableAccounts,
  discoverableLocals,
  localAccountNames,
  tagNames,
} from '../search.state.ts';
import { findLogin } from './profile/logins.queries.ts';
import { profiles } from './profile/profile.state.ts';
import { indexesOf } from './profile/store-profile.ts';
import { statuses } from './statuses/statuses.state.ts';

export const searchRules: readonly Rule[] = [
  rule(tagNames, (_key, { name }, _reader, bytes) =>
    isKey(tagNames, [name, name], bytes) ? undefined : 'has the name of another tag',
  ),
  rule(profiles, ([account], profile, reader) => {
    const { words, isListed, ofHost } = indexesOf(profile);
    if (ofHost !== undefined && reader.get(accountsOfHosts, [ofHost.host, account]) === undefined)
      return 'is not found by its host';
    if (words.some((word) => reader.get(accountNames, [word, account]) === undefined))
      return 'is not found by its name';
    const isLocal = profile.remote === undefined;
    if (isLocal && words.some((word) => reader.get(localAccountNames, [word, account]) === undefined))
      return 'is not found by its name among the accounts of this server';
    const listed = reader.get(discoverableAccounts, [account]);
    return isListed && listed === undefined ? 'is missing in the directory' : undefined;
  }),
  rule(profiles, ([account], profile, reader) => {
    const login = findLogin(reader, account);
    const isListed = listsOf(profile, login).every((list) => reader.get(listedAccounts, [list, account]) === true);
    const isFound = startsOf(profile, login).every(
      ([what, start]) => reader.get(accountBeginnings, [beginningsOf[what], start, account]) === true,
    );
    return isListed && isFound ? undefined : 'is missing on the lists of staff';
  }),
  rule(listedAccounts, ([, account], _value, reader, bytes) => {
    const profile = reader.get(profiles, [account]);
    const lists = profile === undefined ? [] : listsOf(profile, findLogin(reader, account));
    const isRight = lists.some((list) => isKey(listedAccounts, [list, account], bytes));
    return isRight ? undefined : 'is not the standing of that account';
  }),
  rule(accountBeginnings, ([what, start, account], _value, reader) => {
    const profile = reader.get(profiles, [account]);
    const starts = profile === undefined ? [] : startsOf(profile, findLogin(reader, account));
    const isRight = starts.some(([other, text]) => beginningsOf[other] === what && text === start);
    return isRight ? undefined : 'is not a beginning of that account';
  }),
  rule(accountNames, ([word, account], _value, reader) => {
    const profile = reader.get(profiles, [account]);
    const isRight = profile !== undefined && indexesOf(profile).words.includes(word);
    return isRight ? undefined : 'is not the name of that account';
  }),
  rule(localAccountNames, ([word, account], _value, reader) => {
    const profile = reader.get(profiles, [account]);
    const isRight = profile?.remote === undefined && reader.get(accountNames, [word, account]) !== undefined;
    return isRight ? undefined : 'is not the name of an account of this server';
  }),
  rule(accountsOfHosts, ([, account], stored, reader, bytes) => {
    const profile = reader.get(profiles, [account]);
    const { ofHost } = profile === undefined ? { ofHost: undefined } : indexesOf(profile);
    const isRight = isKey(accountsOfHosts, [stored.host, account], bytes) && stored.severity === ofHost?.severity;
    return isRight && stored.host === ofHost?.host ? undefined : 'is not the host of that account, or not its rule';
  }),
  rule(discoverableAccounts, ([account], _value, reader) => {
    const profile = reader.get(profiles, [account]);
    return profile !== undefined && indexesOf(profile).isListed ? undefined : 'does not want to be found';
  }),
  ...counterparts(
    discoverableAccounts,
    ([account], { local }) => (local ? [account] : undefined),
    discoverableLocals,
    ([account]) => [account],
  ),
  rule(statuses, (_key, status, reader) => {
    const isMissing = (name: string) => reader.get(tagNames, [name, name]) === undefined;
    return isInTagTimelines(status) && status.tags.some(({ name }) => isMissing(name))
      ? 'has a tag that no search finds'
      : undefined;
  }),
];
