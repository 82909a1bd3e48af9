/** What dimensions count: how often each value occurs in a period. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { accountIdsListed } from '../../actors/account/account-lists.queries.ts';
import { statusIdsOf } from '../../actors/account/everything.queries.ts';
import { findLogin } from '../../actors/account/profile/logins.queries.ts';
import { findCounters } from '../../actors/account/profile/profiles.queries.ts';
import { findProfile, findStatusRecord } from '../../actors/account/remote/federation.queries.ts';
import { dayOf } from '../../actors/session/session.messages.ts';
import { lastActiveDay, tokensOfAccount } from '../../actors/session/session.queries.ts';
import { publicEntries } from '../../actors/timelines.queries.ts';
import { firstIdAt, timeOfId } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import { compatibleVersion, software } from '../../services/software.ts';
import { accountsAt } from './instance-measures.ts';
import { type Asked, beginningOf, eachOf } from './measure.ts';
import { ServersOfAccounts, tagUses } from './tag-measures.ts';

export interface Share {
  readonly key: string;
  /** For people; absent where it is the key. */
  readonly name?: string | undefined;
  readonly value: number | string;
  readonly unit?: 'bytes';
}

const unknownLanguage = 'und';
const languages = new Intl.DisplayNames(['en'], { type: 'language' });

function sharesOf(counts: ReadonlyMap<string, number>, nameOf: (key: string) => string | undefined = () => undefined) {
  const shares = [...counts].map(([key, value]) => ({ key, name: nameOf(key), value }));
  return shares.sort((one, other) => other.value - one.value);
}

function countOne(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function languageName(code: string): string | undefined {
  return code === unknownLanguage ? 'Unknown' : languages.of(code);
}

/** Of the people here who were last active within the period. */
export function* languagesOfUsers({ services, days }: Asked): Generator<undefined, Share[]> {
  const { snapshots } = services;
  const counts = new Map<string, number>();
  yield* eachOf(accountIdsListed(snapshots, 'local'), (accountId) => {
    const day = lastActiveDay(snapshots, accountId);
    if (day === undefined || day < days.first || day > days.last) return;
    countOne(counts, findLogin(snapshots, accountId)?.locale || unknownLanguage);
  });
  return sharesOf(counts, languageName);
}

const website = 'web';

/** With which applications people signed up in the period. */
export function* sourcesOfUsers({ services, days }: Asked): Generator<undefined, Share[]> {
  const { snapshots } = services;
  const counts = new Map<string, number>();
  const names = new Map<string, string>([[website, 'Website']]);
  const range = { from: firstIdAt(beginningOf(days.first)), until: firstIdAt(beginningOf(days.last + 1)) };
  yield* eachOf(accountIdsListed(snapshots, 'local', range), (accountId) => {
    const applicationId = findLogin(snapshots, accountId)?.applicationId;
    const key = applicationId === undefined ? website : applicationId.toString();
    countOne(counts, key);
    if (names.has(key)) return;
    // Applications are found by their tokens: who signed up with one mostly still has one.
    const token = tokensOfAccount(snapshots, accountId).find(({ application }) => application?.id === applicationId);
    if (token?.application !== undefined) names.set(key, token.application.name);
  });
  return sharesOf(counts, (key) => names.get(key));
}

/** By the public posts of the period that are known here. */
export function* serversOfPosts({ services, days }: Asked): Generator<undefined, Share[]> {
  const servers = new ServersOfAccounts(services);
  const counts = new Map<string, number>();
  const bounds = {
    maxId: firstIdAt(beginningOf(days.last + 1)),
    sinceId: firstIdAt(beginningOf(days.first)) - 1n,
    limit: Number.MAX_SAFE_INTEGER,
  };
  yield* eachOf(publicEntries(services.snapshots, 'all', bounds), ({ entry }) =>
    countOne(counts, servers.of(entry.accountId)),
  );
  return sharesOf(counts);
}

export function* tagServersShares(asked: Asked): Generator<undefined, Share[]> {
  const servers = new ServersOfAccounts(asked.services);
  const counts = new Map<string, number>();
  for (const { entry } of yield* tagUses(asked)) countOne(counts, servers.of(entry.accountId));
  return sharesOf(counts);
}

export function* tagLanguages(asked: Asked): Generator<undefined, Share[]> {
  const counts = new Map<string, number>();
  for (const { entry } of yield* tagUses(asked)) countOne(counts, entry.language || unknownLanguage);
  return sharesOf(counts, languageName);
}

/** Of another server, by their followers here. */
export function* instanceAccountsShares(asked: Asked): Generator<undefined, Share[]> {
  const { snapshots } = asked.services;
  const counts = new Map<string, number>();
  const accounts = yield* accountsAt(asked);
  yield* eachOf(accounts, (accountId) => {
    const username = findProfile(snapshots, accountId)?.username;
    if (username !== undefined) counts.set(username, findCounters(snapshots, accountId).followers);
  });
  return sharesOf(counts);
}

export function* instanceLanguages(asked: Asked): Generator<undefined, Share[]> {
  const { services, days } = asked;
  const counts = new Map<string, number>();
  const accounts = yield* accountsAt(asked);
  const before = firstIdAt(beginningOf(days.first)) - 1n;
  const statuses = function* () {
    for (const accountId of accounts) yield* statusIdsOf(services.snapshots, accountId, before);
  };
  yield* eachOf(statuses(), (statusId) => {
    if (dayOf(timeOfId(statusId)) > days.last) return;
    countOne(counts, findStatusRecord(services.snapshots, statusId)?.language || unknownLanguage);
  });
  return sharesOf(counts, languageName);
}

/** Blobs that are looked at; of more only so many count. */
const blobsMax = 200_000;

/** Now, whatever the period. */
export async function spaceUsage({ services }: Asked): Promise<Share[]> {
  const [database, uploads, copies, search] = await Promise.all([
    databaseBytes(services.options.dataDirectory),
    uploadedBytes(services),
    services.remoteMedia.usage(),
    services.search?.state(),
  ]);
  const unit = 'bytes' as const;
  return [
    { key: 'lmdb', name: 'LMDB', value: database, unit },
    { key: 'media', name: 'Uploaded media', value: uploads, unit },
    {
      key: 'media_cache',
      name: 'Copies of media of other servers',
      value: copies.reduce((sum, { bytes }) => sum + bytes, 0),
      unit,
    },
    ...(search === undefined ? [] : [{ key: 'search', name: 'Search index', value: search.bytes, unit }]),
  ];
}

/** Of the folders of the partitions; 0 without one. Files may go while they are counted. */
async function databaseBytes(directory: string): Promise<number> {
  const folders = (await namesIn(directory)).filter((name) => name.startsWith('partition-'));
  const files = await Promise.all(
    folders.map(async (folder) => {
      const path = join(directory, folder);
      return (await namesIn(path)).map((name) => join(path, name));
    }),
  );
  const sizes = await Promise.all(files.flat().map((path) => unlessGone(stat(path))));
  return sizes.reduce((sum, found) => sum + (found?.size ?? 0), 0);
}

async function namesIn(directory: string): Promise<string[]> {
  return (await unlessGone(readdir(directory))) ?? [];
}

async function unlessGone<Found>(found: Promise<Found>): Promise<Found | undefined> {
  try {
    return await found;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return undefined;
  }
}

async function uploadedBytes({ blobs }: Pick<Services, 'blobs'>): Promise<number> {
  let [bytes, looked] = [0, 0];
  for await (const blob of blobs.list()) {
    bytes += blob.bytes;
    looked += 1;
    if (looked === blobsMax) break;
  }
  return bytes;
}

export async function softwareVersions(): Promise<Share[]> {
  const [mastodon] = compatibleVersion.split(' ');
  const versions = { murmuration: software.version, node: process.versions.node, sqlite: process.versions.sqlite };
  const names = { murmuration: 'Murmuration', node: 'Node.js', sqlite: 'SQLite' };
  return [
    { key: 'mastodon', name: 'Mastodon API', value: mastodon ?? '' },
    ...(Object.keys(names) as (keyof typeof names)[]).map((key) => ({
      key,
      name: names[key],
      value: versions[key] ?? '',
    })),
  ];
}
