/** What an account takes along, takes over from elsewhere, and deletes by rule. No other server has endpoints for them. */
import { z } from 'zod';
import type { CleanupPolicy } from '../../actors/account/cleanup/cleanup.records.ts';
import {
  type Import,
  type ImportedList,
  importedLists,
  RowResult,
} from '../../actors/account/imports/imports.records.ts';
import type { Archive } from '../../actors/account/leaving/leaving.records.ts';
import { leavingLimits } from '../../actors/account/leaving/limits.ts';
import { count, flag, id, text, time, timestamp } from './values.ts';

export const ArchiveEntity = z
  .strictObject({
    state: z.enum(['none', 'building', 'ready', 'failed']),
    requested_at: time.nullable(),
    ready_at: time.nullable(),
    /** Until when it can be downloaded. */
    expires_at: time.nullable(),
    /** Of the file, in bytes. */
    size: count.nullable(),
  })
  .meta({ id: 'OwnArchive' });

export function archiveEntity(archive: Archive | undefined): z.output<typeof ArchiveEntity> {
  const { requestedAt, readyAt, failedAt, blob } = archive ?? {};
  const isReady = blob !== undefined && readyAt !== undefined;
  const state = archive === undefined ? 'none' : failedAt !== undefined ? 'failed' : isReady ? 'ready' : 'building';
  return {
    state,
    requested_at: requestedAt === undefined ? null : timestamp(requestedAt),
    ready_at: readyAt === undefined ? null : timestamp(readyAt),
    expires_at: readyAt === undefined ? null : timestamp(readyAt + leavingLimits.archiveKeptMilliseconds),
    size: blob?.bytes ?? null,
  };
}

/** As the API names them. */
export const listNames = importedLists.map((list) => nameOfList(list)) as [string, ...string[]];

function nameOfList(list: ImportedList): string {
  return list.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export function listOfName(name: string): ImportedList | undefined {
  return importedLists.find((list) => nameOfList(list) === name);
}

export const importModes = ['merge', 'overwrite'] as const;

export const ImportEntity = z
  .strictObject({
    id,
    list: z.enum(listNames),
    mode: z.enum(importModes),
    state: z.enum(['running', 'ended', 'cancelled']),
    rows: count,
    done: count,
    failed: count,
    started_at: time,
    ended_at: time.nullable(),
  })
  .meta({ id: 'Import' });

export function importEntity(one: Import): z.output<typeof ImportEntity> {
  const { list, overwrites, rows, done, failed, startedAt, endedAt, isCancelled = false } = one;
  return {
    id: one.id.toString(),
    list: nameOfList(list),
    mode: overwrites ? 'overwrite' : 'merge',
    state: endedAt === undefined ? 'running' : isCancelled ? 'cancelled' : 'ended',
    rows,
    done,
    failed,
    started_at: timestamp(startedAt),
    ended_at: endedAt === undefined ? null : timestamp(endedAt),
  };
}

/** A row that was not taken over, with its line in the file. */
export const ImportFailureEntity = z
  .strictObject({ line: count, values: z.array(text), reason: RowResult.exclude(['done']) })
  .meta({ id: 'ImportFailure' });

export const CleanupEntity = z
  .strictObject({
    enabled: flag,
    min_age: count,
    keep_direct: flag,
    keep_pinned: flag,
    keep_polls: flag,
    keep_media: flag,
    keep_favourited: flag,
    keep_bookmarked: flag,
    min_favourites: count.nullable(),
    min_reblogs: count.nullable(),
  })
  .meta({ id: 'StatusesCleanup' });

export function cleanupEntity(isOn: boolean, policy: CleanupPolicy): z.output<typeof CleanupEntity> {
  return {
    enabled: isOn,
    min_age: policy.ageSecondsMin,
    keep_direct: policy.keepsDirect,
    keep_pinned: policy.keepsPinned,
    keep_polls: policy.keepsPolls,
    keep_media: policy.keepsMedia,
    keep_favourited: policy.keepsFavourited,
    keep_bookmarked: policy.keepsBookmarked,
    min_favourites: policy.favouritesMin ?? null,
    min_reblogs: policy.reblogsMin ?? null,
  };
}
