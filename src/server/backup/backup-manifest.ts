/** backup.json: what belongs to a backup. It is written last, so that what has one is whole. */
import { z } from 'zod';
import { folderFormat } from '../folder/manifest.ts';
import { contentAt, type Place } from './place.ts';

/** Of the layout of backups, not of what is in them. */
export const backupFormat = 1;

const StoredFile = z.object({
  /** Below the folder of the backup. */
  file: z.string(),
  bytes: z.number().int().min(0),
  /** SHA-256 in hex. */
  sha256: z.string(),
});
export type StoredFile = z.infer<typeof StoredFile>;

const PartitionBackup = z.object({
  entries: z.number().int().min(0),
  parts: z.array(StoredFile),
  /** The last record of its log that it has applied; absent for a server that is on its own. */
  sequence: z.number().int().min(0).optional(),
  /** The digest of that record in hex, and the counters with it. Not in snapshots of earlier versions. */
  digest: z.string().optional(),
  commit: z.number().int().min(0).optional(),
  epoch: z.number().int().min(0).optional(),
});

export const BackupManifest = z.object({
  format: z.number().int().min(1),
  /** Of the server that wrote it. */
  version: z.string(),
  /** The moment whose state it is, in milliseconds since 1970. */
  at: z.number(),
  origin: z.string().optional(),
  domain: z.string().optional(),
  folder: z.object({
    format: z.number().int().min(3),
    minimumReader: z.number().int(),
    epoch: z.number().int().min(1),
    /** Not in backups of earlier versions. */
    id: z.string().optional(),
    /** How often the number of its partitions was changed; absent for never. */
    generation: z.number().int().min(0).optional(),
  }),
  partitions: z.array(PartitionBackup).min(1),
  files: z.array(StoredFile),
  /** Absent where it was told to leave them out. */
  media: z
    .object({
      list: StoredFile,
      files: z.number(),
      bytes: z.number(),
      /** Names to which something referred, and whose bytes were gone or damaged. */
      missing: z.number(),
    })
    .optional(),
});
export type BackupManifest = z.infer<typeof BackupManifest>;

const folder = 'backups';
const manifestName = 'backup.json';
const namePattern = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/;

/** Names of backups are the times at which they began, and sort like them. */
export function backupNameOf(at: number): string {
  return new Date(at).toISOString().replaceAll(/[:.]/g, '-');
}

export function fileOfBackup(name: string, file: string): string {
  return `${folder}/${name}/${file}`;
}

export function manifestOfBackup(name: string): string {
  return fileOfBackup(name, manifestName);
}

/** Of a backup: the files that are beside the partitions in a data folder. */
export const filesFolder = 'files';

/** Files that belong to the state of a server, by their path in the data folder; what else there is can be made anew. */
export function isKeptFile(path: string): boolean {
  return /^(poison\.json|dead-letters-\d+\.jsonl|incoming\/[\w-]+)$/.test(path);
}

interface FoundBackup {
  readonly name: string;
  /** Of all of its files. */
  readonly files: readonly string[];
  readonly isWhole: boolean;
}

/** The oldest first. */
export async function backupsIn(place: Place): Promise<FoundBackup[]> {
  const files = new Map<string, string[]>();
  for await (const { path } of place.list(folder)) {
    const name = path.split('/')[1]!;
    if (!namePattern.test(name)) continue;
    files.set(name, [...(files.get(name) ?? []), path]);
  }
  const found = [...files].map(([name, paths]) => ({
    name,
    files: paths,
    isWhole: paths.includes(manifestOfBackup(name)),
  }));
  return found.sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Rejects with an Error whose message is a sentence where it cannot be understood. */
export async function readBackup(place: Place, name: string): Promise<BackupManifest> {
  const path = manifestOfBackup(name);
  const content = await contentAt(place, path);
  if (content === undefined) throw new Error(`There is no backup ${name} in ${place.name}.`);
  const stored = parsed(content);
  const format = z.object({ format: z.number() }).safeParse(stored);
  if (format.success && format.data.format > backupFormat)
    throw new Error(
      `The backup ${name} in ${place.name} was made by a newer version, with format ${format.data.format}: this one reads format ${backupFormat}.`,
    );
  const manifest = BackupManifest.safeParse(stored);
  if (!manifest.success) throw damagedBackup(place, path);
  const { minimumReader, format: ofFolder } = manifest.data.folder;
  if (minimumReader > folderFormat)
    throw new Error(
      `The backup ${name} in ${place.name} is of a data folder of format ${ofFolder}, and this version reads formats up to ${folderFormat}: restore it with the version that wrote it, ${manifest.data.version}, or a newer one.`,
    );
  return manifest.data;
}

function parsed(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString());
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export function damagedBackup(place: Place, path: string): Error {
  return new Error(`The backup in ${place.name} is damaged: ${path} is missing, cut off, or not what was written.`);
}
