/**
 * One life of a server's owner side, for the fan-out: opens a database, warms the feed of every follower as gateways do,
 * then publishes as often as it is told, each time until the last feed has the post. The threads around it are left out;
 * what a publish costs before its turn and after its last feed is another figure.
 */
import { performance } from 'node:perf_hooks';
import { allocateRings, type RingMemory, RingReader } from '../../src/actors/partition/feed-rings.queries.ts';
import type { FeedAnswer, FeedRequest } from '../../src/actors/partition/feeds.messages.ts';
import { FeedsView } from '../../src/actors/partition/feeds.view.ts';
import { type Id, slotOfId } from '../../src/runtime/ids.ts';
import { evenPlacement } from '../../src/runtime/placement.ts';
import { feedEntries } from '../../src/server/shared.ts';
import { mergedHome } from '../../test/support/merged-home.ts';
import { partitions } from '../seed/community.ts';
import { type Owners, openOwners } from '../seed/owners.ts';
import { plainStatus, publish, statusText } from '../seed/people.ts';
import type { StarFacts } from '../seed/star.ts';
import { serveChild } from './child.ts';

export interface FanOutStart extends StarFacts {
  readonly dataDirectory: string;
}

let star: Id;
let followers: readonly Id[] = [];
let owners: Owners;
let rings: RingMemory[] = [];
let published = 0;
/** The follower of each partition whose feed was warmed last: feeds are filled in that order. */
const lastWarmed = new Map<number, Id>();
const readers: RingReader[] = [];

serveChild({ open, publishOne, close: () => owners.close() });

/** Answers how many feeds are warm. */
async function open(start: FanOutStart): Promise<number> {
  ({ star, followers } = start);
  const placement = evenPlacement(partitions);
  rings = Array.from({ length: partitions }, () => allocateRings(followers.length, feedEntries));
  owners = await openOwners({
    dataDirectory: start.dataDirectory,
    partitions,
    views: (partition) => [
      new FeedsView(rings[partition]!, {
        monotonic: () => performance.now(),
        defer: (callback) => void setImmediate(callback),
      }),
    ],
  });
  for (const follower of followers) warm(placement.partitionOf(slotOfId(follower)), follower);
  return followers.filter((follower) => newestOf(follower) !== undefined).length;
}

/** As a gateway does for an account that reads its home. */
function warm(partition: number, accountId: Id): void {
  const tell = (request: FeedRequest) => owners.partitions[partition]!.control('feeds', request) as FeedAnswer;
  const { generation } = tell({ kind: 'open', accountId });
  if (generation === undefined) throw new Error('a feed got no ring');
  const ids = mergedHome(owners.snapshots, accountId, { limit: feedEntries });
  tell({ kind: 'fill', accountId, generation, ids: ids.reverse(), whole: ids.length < feedEntries });
  lastWarmed.set(partition, accountId);
}

/** Milliseconds from the call of `publish` to the last feed. Throws when a feed lacks the post afterwards. */
async function publishOne(): Promise<number> {
  published += 1;
  const status = plainStatus(statusText(published));
  const begunAt = performance.now();
  const statusId = await publish(owners, star, status);
  const last = [...lastWarmed.values()];
  while (last.some((follower) => newestOf(follower) !== statusId))
    await new Promise((resolve) => setImmediate(resolve));
  const milliseconds = performance.now() - begunAt;
  await owners.settled();
  const missing = followers.filter((follower) => newestOf(follower) !== statusId).length;
  if (missing > 0) throw new Error(`${missing} feeds lack the post`);
  return milliseconds;
}

function newestOf(follower: Id): Id | undefined {
  const partition = evenPlacement(partitions).partitionOf(slotOfId(follower));
  readers[partition] ??= new RingReader(rings[partition]!);
  return readers[partition]!.read(follower, 0)?.ids.at(-1);
}
