/**
 * The migrations between formats of stored data, for changes that declarations cannot read by themselves. Append only.
 */

import { logins, profiles, staff } from '../../actors/account/profile/profile.state.ts';
import { indexesOf } from '../../actors/account/profile/store-profile.ts';
import { listedReports, listingsOf, reports } from '../../actors/account/reports/reports.state.ts';
import { hasOwnMedia, mediaListsOf } from '../../actors/account/statuses/media-lists.ts';
import { isLocal } from '../../actors/account/statuses/statuses.records.ts';
import { mediaOfAccount, statuses } from '../../actors/account/statuses/statuses.state.ts';
import { accountBeginnings, beginningsOf, listedAccounts } from '../../actors/account-lists.state.ts';
import { listsOf, startsOf } from '../../actors/policy/account-lists.ts';
import { isLocalPost } from '../../actors/policy/usage.ts';
import { isInTagTimelines } from '../../actors/policy/visibility.ts';
import {
  accountNames,
  accountsOfHosts,
  discoverableAccounts,
  discoverableLocals,
  localAccountNames,
  tagNames,
} from '../../actors/search.state.ts';
import { mediaTimelines, remoteTimeline } from '../../actors/timelines.state.ts';
import { noUsage, usageTotals } from '../../actors/usage.state.ts';
import { pack, unpack } from '../../runtime/codec.ts';
import { damageOf } from '../../runtime/storage/damaged-entry.ts';
import type { LogBatch } from '../../runtime/storage/log.ts';
import type { Migration } from '../../runtime/storage/migration.ts';
import { foldTagNames, foldTagsOfStatuses } from './tag-migrations.ts';

export const migrations: readonly Migration[] = [
  {
    // Cursors of channels were only the sequence; now they include the epoch and the digest of the frame.
    format: 3,
    keyspaces: [3],
    change({ key, value }) {
      const stored = unpack(value);
      return typeof stored === 'number'
        ? { keys: [key], values: [pack([stored, 0, undefined])] }
        : { keys: [], values: [] };
    },
  },
  {
    // Adds the index by which names of accounts and tags are found by prefix.
    format: 4,
    keyspaces: [profiles.number, statuses.number],
    change: ({ key, value }) => (key[2] === profiles.number ? namesOfAccount(value) : namesOfTags(value)),
  },
  {
    // Each partition gets a list of its staff.
    format: 5,
    keyspaces: [profiles.number],
    change({ value }) {
      const profile = profiles.value.decode(value);
      const { role } = indexesOf(profile);
      return role === undefined
        ? { keys: [], values: [] }
        : { keys: [staff.encode([profile.id])], values: [staff.value.encode({ role })] };
    },
  },
  {
    // The public timeline had local statuses as well, which are in the local timeline.
    format: 6,
    keyspaces: [remoteTimeline.number],
    change: ({ key, value }) =>
      remoteTimeline.value.decode(value).local ? { keys: [key], values: [undefined] } : { keys: [], values: [] },
  },
  {
    // The number of posts did not include direct ones.
    format: 7,
    keyspaces: [statuses.number],
    change({ value }, read) {
      if (damageOf(statuses, value) !== undefined) return { keys: [], values: [] };
      const status = statuses.value.decode(value);
      const isMissing = status.visibility === 'direct' && isLocalPost({ ...status, local: isLocal(status) });
      return isMissing ? oneMorePost(read(usageTotals.encode([0]))) : { keys: [], values: [] };
    },
  },
  {
    // The directory of this server gets a list of its own.
    format: 8,
    keyspaces: [discoverableAccounts.number],
    change({ key, value }) {
      if (damageOf(discoverableAccounts, value) !== undefined || !discoverableAccounts.value.decode(value).local)
        return { keys: [], values: [] };
      const account = discoverableAccounts.decode(key);
      return { keys: [discoverableLocals.encode(account)], values: [discoverableLocals.value.encode(true)] };
    },
  },
  {
    // Names of local accounts get an index of their own.
    format: 9,
    keyspaces: [profiles.number],
    change({ value }) {
      const profile = damageOf(profiles, value) === undefined ? profiles.value.decode(value) : undefined;
      const words = profile === undefined || profile.remote !== undefined ? [] : indexesOf(profile).words;
      return {
        keys: words.map((word) => localAccountNames.encode([word, profile!.id])),
        values: words.map(() => localAccountNames.value.encode(true)),
      };
    },
  },
  foldTagNames,
  foldTagsOfStatuses,
  {
    // Statuses with media get lists of their own.
    format: 12,
    keyspaces: [statuses.number],
    change({ value }) {
      if (damageOf(statuses, value) !== undefined) return { keys: [], values: [] };
      const status = statuses.value.decode(value);
      const { accountId, language } = status;
      const entry = { accountId, local: isLocal(status), hasMedia: true, language };
      const keys = mediaListsOf(status).map((list) => mediaTimelines.encode([list, status.id]));
      const values = keys.map(() => mediaTimelines.value.encode(entry));
      if (hasOwnMedia(status)) {
        keys.push(mediaOfAccount.encode([accountId, status.id]));
        values.push(mediaOfAccount.value.encode(true));
      }
      return { keys, values };
    },
  },
  {
    // Accounts of other servers are found by their hosts.
    format: 13,
    keyspaces: [profiles.number],
    change({ value }) {
      const profile = damageOf(profiles, value) === undefined ? profiles.value.decode(value) : undefined;
      const ofHost = profile && indexesOf(profile).ofHost;
      if (profile === undefined || ofHost === undefined) return { keys: [], values: [] };
      const key = accountsOfHosts.encode([ofHost.host, profile.id]);
      return { keys: [key], values: [accountsOfHosts.value.encode(ofHost)] };
    },
  },
  {
    // Staff find accounts by their standing, and by the beginnings of names and addresses.
    format: 14,
    keyspaces: [profiles.number],
    change({ value }, read) {
      if (damageOf(profiles, value) !== undefined) return { keys: [], values: [] };
      const profile = profiles.value.decode(value);
      const stored = read(logins.encode([profile.id]));
      const isWhole = stored !== undefined && damageOf(logins, stored) === undefined;
      const login = isWhole ? logins.value.decode(stored) : undefined;
      const keys = [
        ...listsOf(profile, login).map((list) => listedAccounts.encode([list, profile.id])),
        ...startsOf(profile, login).map(([what, start]) =>
          accountBeginnings.encode([beginningsOf[what], start, profile.id]),
        ),
      ];
      return { keys, values: keys.map(() => listedAccounts.value.encode(true)) };
    },
  },
  {
    // Reports are found by the accounts on both sides.
    format: 15,
    keyspaces: [reports.number],
    change({ value }) {
      if (damageOf(reports, value) !== undefined) return { keys: [], values: [] };
      const keys = listingsOf(reports.value.decode(value)).map((listing) => listedReports.encode(listing));
      return { keys, values: keys.map(() => listedReports.value.encode(true)) };
    },
  },
];

/** A damaged record of the totals begins anew with the next turn that counts. */
function oneMorePost(stored: Uint8Array | undefined): LogBatch {
  if (stored !== undefined && damageOf(usageTotals, stored) !== undefined) return { keys: [], values: [] };
  const before = stored === undefined ? noUsage : usageTotals.value.decode(stored);
  const after = { ...before, statuses: before.statuses + 1 };
  return { keys: [usageTotals.encode([0])], values: [usageTotals.value.encode(after)] };
}

function namesOfAccount(value: Uint8Array): LogBatch {
  const profile = profiles.value.decode(value);
  const { words, isListed } = indexesOf(profile);
  const keys = words.map((word) => accountNames.encode([word, profile.id]));
  const values = words.map(() => accountNames.value.encode(true));
  if (isListed) {
    keys.push(discoverableAccounts.encode([profile.id]));
    values.push(discoverableAccounts.value.encode({ local: profile.remote === undefined }));
  }
  return { keys, values };
}

function namesOfTags(value: Uint8Array): LogBatch {
  const status = statuses.value.decode(value);
  const names = isInTagTimelines(status) ? status.tags.map(({ name }) => name) : [];
  return {
    keys: names.map((name) => tagNames.encode([name, name])),
    values: names.map((name) => tagNames.value.encode({ name })),
  };
}
