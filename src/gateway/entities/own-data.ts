/** What an account takes along, takes over from elsewhere, and deletes by rule. No other server has endpoints for them. */
import { z } from 'zod';
import type { CleanupPolicy } from '../../actors/account/cleanup/cleanup.records.ts';
import {
  ArchiveProblem,
  type Import,
  type ImportedKind,
  type ImportedList,
  type ImportedRow,
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
export const listNames = importedLists.map((list) => snakeCase(list)) as [string, ...string[]];

function snakeCase(name: ImportedKind | ArchiveProblem | RowResult): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export function listOfName(name: string): ImportedList | undefined {
  return importedLists.find((list) => snakeCase(list) === name);
}

export const importModes = ['merge', 'overwrite'] as const;

export const ImportEntity = z
  .strictObject({
    id,
    list: z.enum([...listNames, 'posts']),
    mode: z.enum(importModes),
    state: z.enum(['running', 'ended', 'cancelled', 'failed']),
    /** Why the posts of an archive could not be taken over. */
    problem: z.enum(ArchiveProblem.options.map(snakeCase) as [string, ...string[]]).nullable(),
    /** Of an archive that is being read: 0. */
    rows: count,
    done: count,
    failed: count,
    started_at: time,
    ended_at: time.nullable(),
  })
  .meta({ id: 'Import' });

export function importEntity(one: Import): z.output<typeof ImportEntity> {
  const { list, overwrites, rows, done, failed, startedAt, endedAt, isCancelled = false, problem } = one;
  const ended = problem !== undefined ? 'failed' : isCancelled ? 'cancelled' : 'ended';
  return {
    id: one.id.toString(),
    list: snakeCase(list),
    mode: overwrites ? 'overwrite' : 'merge',
    state: endedAt === undefined ? 'running' : ended,
    problem: problem === undefined ? null : snakeCase(problem),
    rows,
    done,
    failed,
    started_at: timestamp(startedAt),
    ended_at: endedAt === undefined ? null : timestamp(endedAt),
  };
}

const failureNames = RowResult.exclude(['done']).options.map(snakeCase) as [string, ...string[]];

/** A row that was not taken over, with its line in the file, or its number among the activities of the archive. */
export const ImportFailureEntity = z
  .strictObject({ line: count, values: z.array(text), reason: z.enum(failureNames) })
  .meta({ id: 'ImportFailure' });

export function importFailureEntity({
  line,
  values,
  result = 'refused',
}: ImportedRow): z.output<typeof ImportFailureEntity> {
  return { line, values, reason: snakeCase(result) };
}

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
