/**
 * After a start all homes are cold, and everybody comes back at once. The homes of accounts that were active lately are
 * filled in the background, the latest first, so that their next read finds a ring.
 */
import { localAccountsBefore } from '../actors/account/account-lists.queries.ts';
import { dayOf } from '../actors/session/session.messages.ts';
import { lastActiveDay } from '../actors/session/session.queries.ts';
import type { Id } from '../runtime/ids.ts';
import type { Snapshots } from '../runtime/storage/snapshots.ts';
import type { Feeds } from './feeds.ts';
import { warmHomeLimits } from './limits.ts';
import type { TimeSlices } from './time-slices.ts';

export interface WarmHomesOptions {
  readonly feeds: Pick<Feeds, 'warmHome'>;
  readonly snapshots: Snapshots;
  readonly slices: TimeSlices;
  /** Those whose accounts are this thread's to care for. */
  readonly partitions: readonly number[];
  readonly ringsPerPartition: number;
  now(): number;
  monotonic(): number;
  /** Waits so many milliseconds. Rejects when the thread is to end. */
  pause(milliseconds: number): Promise<void>;
}

/** Settles with the number of homes that it has cared for. */
export async function warmHomes(options: WarmHomesOptions): Promise<number> {
  const { feeds, slices, monotonic, pause } = options;
  const readers = await slices.run(recentReaders(options));
  for (const accountId of readers) {
    const begun = monotonic();
    await feeds.warmHome(accountId);
    await pause(warmHomeLimits.pauses * (monotonic() - begun));
  }
  return readers.length;
}

function* recentReaders(options: WarmHomesOptions): Generator<undefined, Id[]> {
  const { snapshots, partitions, ringsPerPartition, now } = options;
  const since = dayOf(now()) - warmHomeLimits.activeDays;
  const most = Math.floor(ringsPerPartition * warmHomeLimits.ringShare);
  const found: { readonly accountId: Id; readonly day: number }[] = [];
  for (const partition of partitions) {
    const reader = snapshots.partitions[partition]!;
    const accountsBefore = (before?: Id) => localAccountsBefore(reader, warmHomeLimits.accountsPerSlice, before);
    const ofPartition: typeof found = [];
    for (let accounts = accountsBefore(); accounts.length > 0; ) {
      for (const accountId of accounts) {
        const day = lastActiveDay(snapshots, accountId) ?? 0;
        if (day >= since) ofPartition.push({ accountId, day });
      }
      yield;
      accounts = accountsBefore(accounts.at(-1));
    }
    found.push(...ofPartition.sort(byDay).slice(0, most));
  }
  return found.sort(byDay).map(({ accountId }) => accountId);
}

function byDay(one: { readonly day: number }, other: { readonly day: number }): number {
  return other.day - one.day;
}
