/** The remote followers of a local account, by their servers (FEP-8fcf). */
import { storedFollowersOf } from '../actors/account/relationships/relationships.queries.ts';
import { findProfile } from '../actors/account/remote/federation.queries.ts';
import type { Id } from '../runtime/ids.ts';
import type { Snapshots } from '../runtime/storage/snapshots.ts';

const followersPerSlice = 256;

/** Their addresses, by the origin of these. Yields where other work may run. */
export function* followersByOrigin(
  snapshots: Snapshots,
  accountId: Id,
): Generator<undefined, ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>();
  let from: Id | undefined;
  for (;;) {
    const slice = [...storedFollowersOf(snapshots, accountId, { from, limit: followersPerSlice })];
    for (const [followerId] of slice) {
      const uri = findProfile(snapshots, followerId)?.remote?.uri;
      const origin = uri === undefined ? undefined : URL.parse(uri)?.origin;
      if (uri === undefined || origin === undefined) continue;
      const beside = found.get(origin);
      if (beside === undefined) found.set(origin, [uri]);
      else beside.push(uri);
    }
    if (slice.length < followersPerSlice) return found;
    from = slice.at(-1)![0] + 1n;
    yield;
  }
}
