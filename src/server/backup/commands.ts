/** What `murmuration backup` and `murmuration restore` do, and what they print. */
import { join, resolve } from 'node:path';
import { BackupInput, RestoreInput } from '../../gateway/operator/admin/requests.ts';
import { defaultOrigin, type Options } from '../../options/table.ts';
import { systemClock } from '../../runtime/threads/clock.ts';
import { joined, openBlobStores } from '../blob-store.ts';
import {
  assertToRestore,
  type DataFolder,
  dropUnused,
  findDataFolder,
  openFolderToRestore,
} from '../folder/data-folder.ts';
import { isLocked, lockFolder } from '../folder/folder-lock.ts';
import { isRunningServer, lockOrReach } from '../folder/lock-or-reach.ts';
import { type BackupOutcome, backUp, megabytes } from './backup.ts';
import { openBeside } from './moment.ts';
import { openPlace } from './open-place.ts';
import { Pace } from './pace.ts';
import { type RestoreOutcome, type RestoreInput as RestoreWish, restore } from './restore.ts';

export interface LongCommand {
  readonly options: Options;
  /** Ends it. */
  readonly signal: AbortSignal;
  show(line: string): void;
  complain(sentence: string): void;
}

const bytesPerMegabyte = 1_000_000;
const defaultMegabytesPerSecond = 32;

/** Returns lines for the operator. Rejects with an Error whose message is a sentence. */
export async function runBackup(given: unknown, { options, signal, show, complain }: LongCommand): Promise<string[]> {
  const { place: named, keep, rate = defaultMegabytesPerSecond, media, json } = BackupInput.parse(given);
  const folder = findDataFolder(options.dataDirectory);
  const place = openPlace(named, options);
  const blobs = media ? joined(await openBlobStores(options, folder.path)) : undefined;
  const pace = new Pace(rate * bytesPerMegabyte, signal);
  const began = systemClock.monotonic();
  try {
    const outcome = await alone(folder, () =>
      openBeside(
        folder,
        (opened) => {
          const now = systemClock.now();
          return backUp({ path: folder.path, opened, place, blobs, keep, pace, now, show });
        },
        complain,
      ),
    );
    const seconds = (systemClock.monotonic() - began) / 1_000;
    return json ? [JSON.stringify(summaryOf(outcome, seconds))] : linesOf(outcome, seconds);
  } finally {
    await place.close();
  }
}

/** One backup of a folder at a time. */
async function alone<Result>({ path }: DataFolder, work: () => Promise<Result>): Promise<Result> {
  const lock = await lockFolder(`${path}/backup.sock`);
  if (lock === undefined) throw new Error(`A backup of the data folder ${path} is being made already.`);
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

function summaryOf({ name, manifest, copied, removed }: BackupOutcome, seconds: number) {
  const { at, partitions, media } = manifest;
  return {
    name,
    at: new Date(at).toISOString(),
    entries: partitions.reduce((sum, { entries }) => sum + entries, 0),
    bytes: partitions.reduce((sum, { parts }) => sum + parts.reduce((total, { bytes }) => total + bytes, 0), 0),
    ...(media && { media: { files: media.files, bytes: media.bytes, missing: media.missing, copied } }),
    removed,
    seconds: Math.round(seconds * 10) / 10,
  };
}

function linesOf(outcome: BackupOutcome, secondsTaken: number): string[] {
  const { name, at, entries, bytes, media, removed, seconds } = summaryOf(outcome, secondsTaken);
  return [
    `Backup ${name}: the state of ${at}, in ${seconds} seconds.`,
    `Entries: ${entries}, compressed to ${megabytes(bytes)} MB`,
    ...(media === undefined
      ? ['Media were left out.']
      : [
          `Media: ${media.files} files, ${megabytes(media.bytes)} MB; new of them: ${media.copied.files} files, ${megabytes(media.copied.bytes)} MB`,
        ]),
    ...(media === undefined || media.missing === 0
      ? []
      : [`Media that something refers to, and whose bytes are gone or damaged: ${media.missing}`]),
    ...(removed.length === 0 ? [] : [`Removed: ${removed.join(', ')}`]),
  ];
}

/** Undefined where the configuration has none. */
function namedOrigin({ origin, port, tlsCertificate }: Options): string | undefined {
  return origin === defaultOrigin(port, tlsCertificate !== undefined) ? undefined : origin;
}

/** Returns lines for the operator. Rejects with an Error whose message is a sentence. */
export async function runRestore(given: unknown, command: LongCommand): Promise<string[]> {
  const { place, name, folder, origin } = RestoreInput.parse(given);
  const { manifest, name: restored } = await restoreFrom(place, folder, { name, origin }, command);
  return [
    `Restored ${restored}: the state of ${new Date(manifest.at).toISOString()}${manifest.origin === undefined ? '' : ` of ${manifest.origin}`}, into ${resolve(folder)}.`,
    ...(manifest.media === undefined ? ['The backup has no media.'] : []),
    'What happened later is lost here, and other servers know it: see docs/operators/backup.md.',
  ];
}

/** Rejects with an Error whose message says rather that the folder is in use than what is in it. */
async function unusedFolder(path: string): Promise<DataFolder> {
  try {
    return openFolderToRestore(path);
  } catch (error) {
    if (!(await isLocked(join(path, 'lock.sock')))) throw error;
    throw new Error(
      `The folder ${resolve(path)} is in use by a server or a command: a backup is restored into a new folder.`,
      { cause: error },
    );
  }
}

/** Into a new folder. Rejects with an Error whose message is a sentence. */
export async function restoreFrom(
  named: string,
  path: string,
  { name, origin, follows }: Partial<Pick<RestoreWish, 'name' | 'origin' | 'follows'>>,
  { options, signal, show, complain }: LongCommand,
): Promise<RestoreOutcome> {
  const place = openPlace(named, options);
  try {
    const folder = await unusedFolder(path);
    const holder = await lockOrReach(folder, signal, complain);
    if (isRunningServer(holder)) {
      await holder.close();
      throw new Error(`A server is running on the folder ${folder.path}: a backup is restored into a new folder.`);
    }
    const pace = new Pace(Number.POSITIVE_INFINITY, signal);
    const now = systemClock.now();
    try {
      // Another restore, and a server on what it brought, may have come first while this one waited for the lock.
      assertToRestore(folder);
      return await restore({ place, name, folder, origin: origin ?? namedOrigin(options), follows, pace, now, show });
    } finally {
      await holder.release();
      dropUnused(folder);
    }
  } finally {
    await place.close();
  }
}
