/** The migrations of a start, entry by entry; former-folder.test.ts tests a whole folder of format 2. */
import { describe, expect, test } from 'vitest';
import { logins, profiles, staff } from '../../../src/actors/account/profile/profile.state.ts';
import { listedReports, listingsOf, reports } from '../../../src/actors/account/reports/reports.state.ts';
import type { Status } from '../../../src/actors/account/statuses/statuses.records.ts';
import { mediaOfAccount, statuses } from '../../../src/actors/account/statuses/statuses.state.ts';
import { accountBeginnings, listedAccounts } from '../../../src/actors/account-lists.state.ts';
import {
  accountsOfHosts,
  discoverableAccounts,
  discoverableLocals,
  localAccountNames,
} from '../../../src/actors/search.state.ts';
import { mediaTimelines, remoteTimeline } from '../../../src/actors/timelines.state.ts';
import { usageTotals } from '../../../src/actors/usage.state.ts';
import { migrations } from '../../../src/server/folder/migrations.ts';
import { testProfile } from '../../support/profile.ts';
import { signUp } from '../../support/sign-up.ts';

const nothing = () => undefined;
const image = { id: 1n, type: 'image', url: 'https://media.example/1.png' };
const cats = { name: 'cats', display: 'cats' };
const plainStatus = {
  id: 9n,
  accountId: 7n,
  createdAt: 1,
  content: '',
  text: '',
  emojis: [],
  spoilerText: '',
  sensitive: false,
  visibility: 'public',
  mentions: [],
  tags: [],
  attachments: [],
};

test.each([
  ['user', []],
  ['moderator', [[7n, { role: 'moderator' }]]],
  ['admin', [[7n, { role: 'admin' }]]],
] as const)('format 5 lists the staff: %s', (role, listed) => {
  const { keyspaces, change } = migrations.find(({ format }) => format === 5)!;
  expect(keyspaces).toEqual([profiles.number]);
  const profile = { ...testProfile({ username: 'alice' }), id: 7n, role };
  const { keys, values } = change({ key: profiles.encode([7n]), value: profiles.value.encode(profile) }, nothing);
  expect(keys.map((key, index) => [staff.decode(key)[0], staff.value.decode(values[index]!)])).toEqual(listed);
});

test.each([
  ['of this server', true, [[9n]]],
  ['of another', false, []],
] as const)('format 6 takes out of the public timeline a status %s: %s', (_of, local, removed) => {
  const { keyspaces, change } = migrations.find(({ format }) => format === 6)!;
  expect(keyspaces).toEqual([remoteTimeline.number]);
  const entry = { accountId: 7n, local, hasMedia: false };
  const stored = { key: remoteTimeline.encode([9n]), value: remoteTimeline.value.encode(entry) };
  const { keys, values } = change(stored, nothing);
  expect(keys.map((key) => remoteTimeline.decode(key))).toEqual(removed);
  expect(values).toEqual(removed.map(() => undefined));
});

describe('format 7 counts among the posts of this server', () => {
  const { keyspaces, change } = migrations.find(({ format }) => format === 7)!;
  const before = usageTotals.value.encode({ users: 2, statuses: 5, hosts: 1 });
  const post = {
    id: 9n,
    accountId: 7n,
    createdAt: 1,
    content: '',
    text: '',
    emojis: [],
    spoilerText: '',
    sensitive: false,
  };
  const counted = (value: Uint8Array, totals?: Uint8Array) => {
    const { keys, values } = change({ key: statuses.encode([9n]), value }, () => totals);
    return keys.map((key, index) => [usageTotals.decode(key), usageTotals.value.decode(values[index]!)]);
  };
  const stored = (changes: Partial<Status>) =>
    statuses.value.encode({ ...post, visibility: 'direct', mentions: [], tags: [], attachments: [], ...changes });

  test('a direct one', () => {
    expect(keyspaces).toEqual([statuses.number]);
    expect(counted(stored({}), before)).toEqual([[[0], { users: 2, statuses: 6, hosts: 1 }]]);
    expect(counted(stored({}))).toEqual([[[0], { users: 0, statuses: 1, hosts: 0 }]]);
  });

  test.each([
    ['a private one, which is counted already', { visibility: 'private' }],
    ['one of another server', { uri: 'https://remote.test/notes/1' }],
  ] as const)('not %s', (_what, changes) => {
    expect(counted(stored(changes), before)).toEqual([]);
  });

  test('none, as far as the record of the post or of the totals is damaged', () => {
    expect(counted(Uint8Array.of(0xc1), before)).toEqual([]);
    expect(counted(stored({}), Uint8Array.of(0xc1))).toEqual([]);
  });
});

test.each([
  ['of this server', true, [[9n]]],
  ['of another', false, []],
] as const)('format 8 lists an account %s: %s', (_of, local, added) => {
  const { keyspaces, change } = migrations.find(({ format }) => format === 8)!;
  expect(keyspaces).toEqual([discoverableAccounts.number]);
  const stored = { key: discoverableAccounts.encode([9n]), value: discoverableAccounts.value.encode({ local }) };
  const { keys, values } = change(stored, nothing);
  expect(keys.map((key) => discoverableLocals.decode(key))).toEqual(added);
  expect(values.map((value) => discoverableLocals.value.decode(value!))).toEqual(added.map(() => true));
  expect(change({ ...stored, value: Uint8Array.of(0xc1) }, nothing)).toEqual({ keys: [], values: [] });
});

const elsewhere = {
  ...{ uri: 'https://remote.test/users/alice', url: 'https://remote.test/@alice', inbox: 'https://remote.test/inbox' },
  ...{ publicKeyId: 'https://remote.test/users/alice#main-key', publicKeyPem: '' },
};

test.each([
  ['of this server', {}, ['alice', 'liddell']],
  ['of another', { domain: 'remote.test', remote: elsewhere }, []],
] as const)('format 9 lists the names of an account %s', (_of, changes, words) => {
  const { keyspaces, change } = migrations.find(({ format }) => format === 9)!;
  expect(keyspaces).toEqual([profiles.number]);
  const profile = { ...testProfile({ username: 'alice', displayName: 'Alice Liddell' }), ...changes, id: 7n };
  const stored = { key: profiles.encode([7n]), value: profiles.value.encode(profile) };
  const { keys, values } = change(stored, nothing);
  expect(keys.map((key) => localAccountNames.decode(key))).toEqual(words.map((word) => [word, 7n]));
  expect(values.map((value) => localAccountNames.value.decode(value!))).toEqual(words.map(() => true));
  expect(change({ ...stored, value: Uint8Array.of(0xc1) }, nothing)).toEqual({ keys: [], values: [] });
});

test.each([
  ['a public one with media', { attachments: [image], tags: [cats] }, ['local 9', '#cats 9'], ['7 9']],
  ['one of another server', { attachments: [image], uri: 'https://there.example/9' }, ['remote 9'], ['7 9']],
  ['one for followers', { attachments: [image], visibility: 'private' }, [], ['7 9']],
  ['one without media', { tags: [cats] }, [], []],
  ['a reblog', { reblogOfId: 5n }, [], []],
] as const)('format 12 lists by its media %s', (_which, changes, lists, own) => {
  const { keyspaces, change } = migrations.find(({ format }) => format === 12)!;
  expect(keyspaces).toEqual([statuses.number]);
  const value = statuses.value.encode({ ...plainStatus, ...changes } as Status);
  const { keys } = change({ key: statuses.encode([9n]), value }, nothing);
  const ofNumber = (number: number) => keys.filter((key) => key[2] === number);
  const expected = lists.map((name) => Uint8Array.from(mediaTimelines.encode([name.slice(0, -2), 9n])));
  expect(
    ofNumber(mediaTimelines.number)
      .map((key) => Uint8Array.from(key))
      .sort(),
  ).toEqual(expected.sort());
  expect(ofNumber(mediaOfAccount.number).map((key) => mediaOfAccount.decode(key).join(' '))).toEqual(own);
});

test.each([
  ['of another server', 'there.example', [['there.example', 7n]]],
  ['of this server', undefined, []],
] as const)('format 13 lists by its host an account %s', (_of, domain, listed) => {
  const { keyspaces, change } = migrations.find(({ format }) => format === 13)!;
  expect(keyspaces).toEqual([profiles.number]);
  const uri = 'https://there.example/users/alice';
  const addresses = { uri, url: uri, inbox: `${uri}/inbox`, publicKeyId: `${uri}#key`, publicKeyPem: '' };
  const remote = domain === undefined ? {} : { domain, remote: addresses };
  const profile = { ...testProfile({ username: 'alice' }), id: 7n, ...remote };
  const { keys, values } = change({ key: profiles.encode([7n]), value: profiles.value.encode(profile) }, nothing);
  expect(
    keys.map((key, index) => [accountsOfHosts.value.decode(values[index]!).host, accountsOfHosts.decode(key)[1]]),
  ).toEqual(listed);
});

test.each([
  [
    'of this server',
    {},
    { approved: false, email: 'Alice@example.org' },
    ['local active', 'local pending'],
    ['1 alice', '2 alice liddell', '3 alice@example.org'],
  ],
  ['without a login', { suspendedAt: 1 }, undefined, ['local suspended'], ['1 alice', '2 alice liddell']],
  ['that its server deleted', { deletedRemotelyAt: 1 }, undefined, [], []],
] as const)('format 14 lists for staff an account %s', (_of, changes, login, lists, starts) => {
  const { keyspaces, change } = migrations.find(({ format }) => format === 14)!;
  expect(keyspaces).toEqual([profiles.number]);
  const profile = { ...testProfile({ username: 'alice', displayName: 'Alice Liddell' }), ...changes, id: 7n };
  const stored = login && logins.value.encode(signUp('alice', login).login);
  const { keys } = change({ key: profiles.encode([7n]), value: profiles.value.encode(profile) }, () => stored);
  const ofNumber = ({ number }: { readonly number: number }) => keys.filter((key) => key[2] === number);
  expect(ofNumber(listedAccounts)).toEqual(lists.map((list) => listedAccounts.encode([list, 7n])));
  const beginnings = ofNumber(accountBeginnings).map((key) => accountBeginnings.decode(key));
  expect(beginnings).toEqual(starts.map((start) => [Number(start[0]), start.slice(2), 7n]));
});

test.each([
  ['open', undefined],
  ['closed', 2],
] as const)('format 15 lists by both sides a report that is %s', (_what, resolvedAt) => {
  const { keyspaces, change } = migrations.find(({ format }) => format === 15)!;
  expect(keyspaces).toEqual([reports.number]);
  const said = { statusIds: [], ruleIds: [], category: 'spam' as const, comment: '', forwarded: false, createdAt: 1 };
  const report = { id: 5n, accountId: 7n, targetId: 9n, ...said, ...(resolvedAt !== undefined && { resolvedAt }) };
  const { keys } = change({ key: reports.encode([5n]), value: reports.value.encode(report) }, nothing);
  expect(keys).toEqual(listingsOf(report).map((listing) => listedReports.encode(listing)));
  expect(keys).toHaveLength(2);
});
