/** The Admin::Storage entity, our own: what takes the disk space of the server, and what goes by rule. */
import { z } from 'zod';
import type { ShownStorage } from '../../../operations/administration/storage-state.ts';
import type { StorageKind, StoragePlace } from '../../../services/storage.ts';
import { time, timestamp } from '../values.ts';

const kinds = {
  ownPosts: 'own_posts',
  otherPosts: 'other_posts',
  postLists: 'post_lists',
  ownAccounts: 'own_accounts',
  otherAccounts: 'other_accounts',
  accountData: 'account_data',
  follows: 'follows',
  interactions: 'interactions',
  notifications: 'notifications',
  media: 'media',
  finding: 'finding',
  deliveries: 'deliveries',
  staff: 'staff',
  events: 'events',
  machinery: 'machinery',
} as const satisfies Record<StorageKind, string>;

const places = {
  ownMedia: 'own_media',
  otherMedia: 'other_media',
  search: 'search',
  incoming: 'incoming',
  mails: 'mails',
} as const satisfies Record<StoragePlace, string>;

const number = z.number().int().nonnegative();

export const AdminStorageEntity = z
  .strictObject({
    /** When the figures were taken; null until they were taken once. */
    measured_at: time.nullable(),
    /** They are being taken: the next answer may have newer ones. */
    measuring: z.boolean(),
    database: z
      .strictObject({
        bytes: number,
        /** Inside its files: what the next writes use. */
        free_bytes: number,
        kinds: z.array(z.strictObject({ kind: z.enum(kinds), entries: number, bytes: number })),
      })
      .nullable(),
    files: z.array(z.strictObject({ place: z.enum(places), files: number, bytes: number })),
    disk_free_bytes: number.nullable(),
    /** Public posts of other servers that nobody here uses, by their age. */
    unused_statuses: z.array(z.strictObject({ older_than_days: number, statuses: number })),
    retention: z.strictObject({
      /** 0: all are kept. */
      days: number,
      next_run_at: time.nullable(),
      /** The one that goes on, or the last one. */
      run: z
        .strictObject({
          started_at: time,
          ended_at: time.nullable(),
          before: time,
          examined: number,
          forgotten: number,
        })
        .nullable(),
    }),
  })
  .meta({ id: 'Admin.Storage' });

export function adminStorageEntity(shown: ShownStorage): z.output<typeof AdminStorageEntity> {
  const { figures, isMeasuring, retention } = shown;
  const timeOrNull = (at: number | undefined) => (at === undefined ? null : timestamp(at));
  const { days = 0, nextAt, run } = retention ?? {};
  return {
    measured_at: timeOrNull(figures?.at),
    measuring: isMeasuring,
    database: figures
      ? {
          bytes: figures.database.bytes,
          free_bytes: figures.database.freeBytes,
          kinds: figures.database.kinds.map((one) => ({ ...one, kind: kinds[one.kind] })),
        }
      : null,
    files: figures?.files.map((one) => ({ ...one, place: places[one.place] })) ?? [],
    disk_free_bytes: figures?.diskFreeBytes ?? null,
    unused_statuses: figures?.unused.map(({ days: age, statuses }) => ({ older_than_days: age, statuses })) ?? [],
    retention: {
      days,
      next_run_at: timeOrNull(nextAt),
      run: run
        ? {
            started_at: timestamp(run.startedAt),
            ended_at: timeOrNull(run.endedAt),
            before: timestamp(run.before),
            examined: run.examined,
            forgotten: run.forgotten,
          }
        : null,
    },
  };
}
