/** How large everything is: as published, for a quick look, and tiny, as the test suite runs it. */

import type { ArchiveSize } from './seed/archive.ts';
import type { BurdenSize } from './seed/burden.ts';
import type { CommunitySize } from './seed/community.ts';
import type { CorrespondenceSize } from './seed/correspondence.ts';
import type { DepartureSize } from './seed/departure.ts';
import type { TownhallSize } from './seed/townhall.ts';
import type { UnusedSize } from './seed/unused.ts';

export interface Size {
  readonly name: SizeName;
  readonly community: CommunitySize;
  /** The larger of two; the smaller one has a hundredth of its statuses. */
  readonly archive: ArchiveSize;
  readonly burden: BurdenSize;
  /** Old posts of other servers that nobody uses. */
  readonly unused: UnusedSize;
  /** Large accounts that are removed. */
  readonly departure: DepartureSize;
  /** Of the small request beside expensive ones. */
  readonly quietPerSecond: number;
  readonly townhall: TownhallSize;
  /** Of each list of staff. */
  readonly townhallRequests: number;
  readonly starFollowers: number;
  /** Uploads at a time of so many bytes each, and how long others are watched beside them. */
  readonly largeUploads: { readonly connections: number; readonly bytes: number; readonly milliseconds: number };
  readonly photosPerWindow: number;
  readonly photoPixels: { readonly width: number; readonly height: number };
  readonly correspondence: CorrespondenceSize;
  /** Servers of which every second one goes bad; and the posts to them, one after the other, before and after it does. */
  readonly mixedCorrespondence: CorrespondenceSize;
  readonly mixedPosts: number;
  readonly mixedPostsPerSecond: number;
  /** Deliveries: posts, each of which goes to every server. */
  readonly warmUpPosts: number;
  readonly postsPerWindow: number;
  /** Windows of inbound activities before the first that counts. */
  readonly inboundWarmUps: number;
  /** Without a delivery for so long, a start has told others all it had to. */
  readonly quietMilliseconds: number;
  readonly pairs: number;
  readonly windowMilliseconds: number;
  readonly warmUpMilliseconds: number;
  readonly connections: number;
  /** Of the open loop, one for reading and one for writing. */
  readonly readsPerSecond: number;
  readonly writesPerSecond: number;
  readonly latencyMilliseconds: number;
  /** How long more is asked for than can be done. */
  readonly overloadMilliseconds: number;
  /** Enough that a server which refuses nothing has more under way than it answers in time. */
  readonly overloadConnections: number;
  /** Waves of posts, one on each connection, that the reference of a written window stands for. */
  readonly wavesPerWrittenWindow: number;
  /** Who return after a start, and how long homes are filled in the background before they do. */
  readonly returningReaders: number;
  readonly warmingMilliseconds: number;
  /** Of a comparison: Creates in a window, and servers with a follower each. */
  readonly comparedCreates: number;
  readonly comparedServers: number;
  readonly comparePort: number;
  /** Streaming: sockets, and the schedule of posts. */
  readonly listeners: number;
  readonly warmUpBursts: number;
  readonly bursts: number;
  readonly postsPerBurst: number;
  readonly burstsPerSecond: number;
  /** Idle sockets of the memory figure. */
  readonly idleSockets: number;
  readonly settleMilliseconds: number;
  readonly microMilliseconds: number;
  /** A window of each endpoint, and the requests of a wave. */
  readonly walkMilliseconds: number;
  readonly walkConnections: number;
  readonly soakMilliseconds: number;
  /** Fan-out: starts of the server, posts after each. */
  readonly starts: number;
  readonly postsPerStart: number;
  /** Push messages of a window: posts, each of which mentions everybody. */
  readonly pushes: { readonly recipients: number; readonly posts: number };
  /** Statuses in the index of search, and queries of each sort, with the pages in memory and without. */
  readonly search: { readonly statuses: number; readonly queries: number; readonly coldQueries: number };
}

const full = {
  name: 'full',
  community: {
    people: 12_000,
    authors: 1_000,
    statusesPerAuthor: 60,
    readers: 200,
    followsPerReader: 200,
    crowd: 1_000,
    threads: 200,
  },
  archive: {
    authors: 1_000,
    readers: 100,
    followsPerReader: 200,
    statuses: 1_000_000,
    favouritesPerReader: 200,
    conversationsPerReader: 40,
    repliesOfThread: 1_000,
  },
  unused: { statuses: 1_000_000, authors: 2_000 },
  departure: { leavers: 5, statuses: 10_000, followers: 5_000 },
  burden: { people: 2_000, threads: 12, repliesPerThread: 1_000, follows: 1_500, listMembers: 500 },
  quietPerSecond: 200,
  townhall: { people: 80_000, strangers: 20_000, servers: 500, reports: 10_000, rules: 3_000 },
  townhallRequests: 20,
  starFollowers: 100_000,
  largeUploads: { connections: 20, bytes: 50 * 1_048_576, milliseconds: 15_000 },
  photosPerWindow: 8,
  photoPixels: { width: 4_032, height: 3_024 },
  correspondence: { writers: 50, people: 300, followersPerWriter: 20, servers: 1_000, port: 21_900 },
  mixedCorrespondence: { writers: 0, people: 1, followersPerWriter: 0, servers: 400, port: 21_902 },
  mixedPosts: 15,
  mixedPostsPerSecond: 1,
  warmUpPosts: 12,
  postsPerWindow: 10,
  inboundWarmUps: 6,
  quietMilliseconds: 700,
  pairs: 5,
  windowMilliseconds: 2_000,
  warmUpMilliseconds: 1_000,
  connections: 64,
  readsPerSecond: 2_000,
  writesPerSecond: 200,
  latencyMilliseconds: 5_000,
  overloadMilliseconds: 10_000,
  overloadConnections: 8_000,
  wavesPerWrittenWindow: 120,
  comparedCreates: 1_000,
  comparedServers: 60,
  comparePort: 21_904,
  returningReaders: 10_000,
  warmingMilliseconds: 60_000,
  listeners: 1_000,
  warmUpBursts: 15,
  bursts: 50,
  postsPerBurst: 4,
  burstsPerSecond: 5,
  idleSockets: 10_000,
  settleMilliseconds: 60_000,
  microMilliseconds: 400,
  walkMilliseconds: 250,
  walkConnections: 16,
  soakMilliseconds: 600_000,
  starts: 3,
  postsPerStart: 21,
  pushes: { recipients: 40, posts: 50 },
  search: { statuses: 1_000_000, queries: 300, coldQueries: 20 },
} as const;

const quick = {
  ...full,
  name: 'quick',
  community: { ...full.community, people: 3_000, statusesPerAuthor: 20 },
  archive: { ...full.archive, statuses: 100_000 },
  unused: { statuses: 20_000, authors: 200 },
  departure: { leavers: 3, statuses: 4_000, followers: 2_000 },
  burden: { people: 600, threads: 6, repliesPerThread: 1_000, follows: 500, listMembers: 500 },
  townhall: { people: 8_000, strangers: 2_000, servers: 500, reports: 1_000, rules: 300 },
  starFollowers: 20_000,
  largeUploads: { ...full.largeUploads, milliseconds: 8_000 },
  photosPerWindow: 4,
  warmUpPosts: 6,
  postsPerWindow: 4,
  inboundWarmUps: 3,
  mixedPosts: 8,
  pairs: 3,
  windowMilliseconds: 1_000,
  warmUpMilliseconds: 700,
  latencyMilliseconds: 2_000,
  overloadMilliseconds: 3_000,
  overloadConnections: 8_000,
  wavesPerWrittenWindow: 60,
  comparedCreates: 500,
  returningReaders: 1_000,
  warmingMilliseconds: 20_000,
  listeners: 1_000,
  bursts: 20,
  idleSockets: 2_000,
  microMilliseconds: 150,
  walkMilliseconds: 100,
  soakMilliseconds: 60_000,
  starts: 2,
  postsPerStart: 11,
  pushes: { recipients: 40, posts: 25 },
  search: { statuses: 100_000, queries: 100, coldQueries: 8 },
} as const;

const tiny = {
  name: 'tiny',
  community: { people: 12, authors: 4, statusesPerAuthor: 6, readers: 4, followsPerReader: 3, crowd: 6, threads: 2 },
  archive: {
    authors: 50,
    readers: 4,
    followsPerReader: 5,
    statuses: 400,
    favouritesPerReader: 3,
    conversationsPerReader: 2,
    repliesOfThread: 5,
  },
  unused: { statuses: 300, authors: 10 },
  departure: { leavers: 1, statuses: 30, followers: 5 },
  burden: { people: 10, threads: 2, repliesPerThread: 4, follows: 4, listMembers: 3 },
  quietPerSecond: 100,
  townhall: { people: 60, strangers: 6, servers: 3, reports: 10, rules: 5 },
  townhallRequests: 2,
  starFollowers: 50,
  largeUploads: { connections: 3, bytes: 1_048_576, milliseconds: 300 },
  photosPerWindow: 1,
  photoPixels: { width: 320, height: 240 },
  correspondence: { writers: 2, people: 103, followersPerWriter: 2, servers: 5, port: 21_901 },
  mixedCorrespondence: { writers: 0, people: 1, followersPerWriter: 0, servers: 8, port: 21_903 },
  mixedPosts: 3,
  mixedPostsPerSecond: 20,
  warmUpPosts: 2,
  postsPerWindow: 20,
  inboundWarmUps: 1,
  quietMilliseconds: 150,
  pairs: 1,
  windowMilliseconds: 300,
  warmUpMilliseconds: 50,
  connections: 4,
  readsPerSecond: 100,
  writesPerSecond: 50,
  latencyMilliseconds: 100,
  overloadMilliseconds: 200,
  overloadConnections: 16,
  wavesPerWrittenWindow: 2,
  comparedCreates: 5,
  comparedServers: 3,
  comparePort: 21_905,
  returningReaders: 4,
  warmingMilliseconds: 100,
  listeners: 6,
  warmUpBursts: 2,
  bursts: 3,
  postsPerBurst: 2,
  burstsPerSecond: 20,
  idleSockets: 10,
  settleMilliseconds: 50,
  microMilliseconds: 2,
  walkMilliseconds: 1,
  walkConnections: 2,
  soakMilliseconds: 500,
  starts: 1,
  postsPerStart: 3,
  pushes: { recipients: 4, posts: 3 },
  search: { statuses: 1_000, queries: 2, coldQueries: 1 },
} as const;

export const sizes = { full, quick, tiny } satisfies Record<SizeName, Size>;

export type SizeName = 'full' | 'quick' | 'tiny';
