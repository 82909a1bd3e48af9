/** Follows that a decision of staff has ended, as files in the form of Mastodon: to be followed again from elsewhere. */
import { z } from 'zod';
import { identifier } from '../../actors/account/account.records.ts';
import { findSeverance, followsOfSeverance } from '../../actors/account/severed/severed.queries.ts';
import type { SeveredFollow } from '../../actors/account/severed/severed.records.ts';
import { csvLine } from '../../actors/policy/csv.ts';
import { Failure } from '../../runtime/errors.ts';
import { operation } from '../operation.ts';

export const severedLists = ['following', 'followers'] as const;
export type SeveredList = (typeof severedLists)[number];

interface SeveredFile {
  readonly csv: string;
  readonly filename: string;
}

export const exportSevered = operation({
  input: z.object({ severanceId: identifier, list: z.enum(severedLists) }),
  permission: 'manageOwnAccount',
  /** Throws Failure notFound, also for what somebody else has lost. */
  run({ caller, services: { snapshots } }, { severanceId, list }): SeveredFile {
    const { accountId } = caller;
    const severance = findSeverance(snapshots, accountId, severanceId);
    if (severance === undefined) throw new Failure('notFound');
    const rows = rowsOf[list](followsOfSeverance(snapshots, accountId, severanceId));
    const day = new Date(severance.createdAt).toISOString().slice(0, 10);
    const target = severance.targetName.replace(/[^\w.@-]/g, '_');
    return { csv: Array.from(rows, csvLine).join(''), filename: `${list}-${target}-${day}.csv` };
  },
});

type Rows = (follows: Iterable<SeveredFollow>) => Iterable<readonly string[]>;

const rowsOf: Readonly<Record<SeveredList, Rows>> = {
  *following(follows) {
    yield ['Account address', 'Show boosts', 'Notify on new posts', 'Languages'];
    for (const { acct, following } of follows) {
      if (following === undefined) continue;
      const { showReblogs, notify, languages = [] } = following;
      yield [acct, String(showReblogs), String(notify), languages.join(', ')];
    }
  },
  *followers(follows) {
    yield ['Account address'];
    for (const { acct, isFollower } of follows) if (isFollower) yield [acct];
  },
};
