/** Which statuses with a limited audience were sent to another server. */
import { findProfile, hasFollowersAt } from '../actors/account/remote/federation.queries.ts';
import type { Status } from '../actors/account/statuses/statuses.records.ts';
import type { Snapshots } from '../runtime/storage/snapshots.ts';

/** Whether an account of that host[:port] follows the author of a followers-only status, or is mentioned in it. */
export function wasSentToHost(snapshots: Snapshots, status: Status, host: string): boolean {
  if (status.visibility === 'private' && hasFollowersAt(snapshots, status.accountId, host)) return true;
  return status.mentions.some(({ id }) => findProfile(snapshots, id)?.domain === host);
}
