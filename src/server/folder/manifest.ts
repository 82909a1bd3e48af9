/**
 * manifest.json: the identity of the data folder, with which every partition in it must agree. Written with fsync of
 * the file and the folder: a manifest lost in a power failure would make the partitions look foreign.
 */
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { syncFolder, writeDurably } from '../../runtime/storage/durable-files.ts';
import { type DataFolder, manifestFile } from './data-folder.ts';

/** Format of the layout of the folder. This version reads all formats from 2 on, and migrates them. */
export const folderFormat = 15;
/** Versions that only know lower formats must not open a folder of this one. */
const minimumReader = 15;

const common = {
  partitions: z.number().int().min(1),
  /** The origin of the accounts in the folder; absent until a server has listened. */
  origin: z.string().optional(),
  /** The domain of their handles; absent where it is the host of the origin. */
  domain: z.string().optional(),
};

/** Loose: fields added by a newer version are kept. */
const Manifest = z.looseObject({
  format: z.number().int().min(3),
  minimumReader: z.number().int(),
  /** Random, generated with the folder; stored in each partition too. */
  id: z.string().min(1),
  /**
   * Number of starts so far; each partition stores the last one that it took part in. 0 while a new folder is being
   * created.
   */
  epoch: z.number().int().min(0),
  /** The last commit of each partition when the manifest was written. */
  commits: z.array(z.number()),
  /** Set while the partitions of a folder of format 2, which had no identities, get them. */
  adopting: z.boolean().optional(),
  /** Starts since the folder was closed; absent while it is closed. */
  unclosedStarts: z.number().int().min(0).optional(),
  /** How often the number of partitions was changed; absent for never. */
  generation: z.number().int().min(0).optional(),
  /** With which this folder last held the lease of its cluster. */
  session: z.string().optional(),
  ...common,
});

const FormerManifest = z.object({ format: z.literal(2), generation: z.undefined().optional(), ...common });

export interface FolderManifest {
  readonly format: number;
  readonly minimumReader: number;
  readonly id: string;
  readonly epoch: number;
  readonly commits: readonly number[];
  readonly adopting?: boolean | undefined;
  readonly unclosedStarts?: number | undefined;
  readonly generation?: number | undefined;
  readonly session?: string | undefined;
  readonly partitions: number;
  readonly origin?: string | undefined;
  readonly domain?: string | undefined;
}
export type FormerFolderManifest = z.infer<typeof FormerManifest>;

export function isFormer(manifest: FolderManifest | FormerFolderManifest): manifest is FormerFolderManifest {
  return manifest.format < 3;
}

/** How many processes in a row have not closed the folder. */
export function unclosedStartsOf(manifest: FolderManifest | FormerFolderManifest | undefined): number {
  return manifest === undefined || isFormer(manifest) ? 0 : (manifest.unclosedStarts ?? 0);
}

/** Whether the next start reads every page (docs/decisions/0040). */
export function isEveryPageRead(manifest: FolderManifest | FormerFolderManifest | undefined): boolean {
  return unclosedStartsOf(manifest) > 1;
}

/** For commands that read the current format only. */
export function notMigrated({ path }: DataFolder): Error {
  return new Error(`The data folder ${path} has an earlier format: start the server once, which migrates it.`);
}

/** The epoch in which the next start opens the partitions. */
export function nextEpoch(manifest: FolderManifest | FormerFolderManifest | undefined): number {
  if (manifest === undefined) return 1;
  return (isFormer(manifest) ? adoptedEpoch : manifest.epoch) + 1;
}

/** Of a folder of format 2, which counted none. */
export const adoptedEpoch = 1;

/** The folder with the generation of partitions that the manifest names. */
export function partitionsOf(folder: DataFolder, { generation = 0 }: Pick<FolderManifest, 'generation'>): DataFolder {
  return { ...folder, generation };
}

/** Whether its partitions were created. */
export function isMade(
  manifest: FolderManifest | FormerFolderManifest | undefined,
): manifest is FolderManifest | FormerFolderManifest {
  return manifest !== undefined && (isFormer(manifest) || manifest.epoch > 0);
}

/** Undefined for a new folder. Throws an Error with a sentence when it is damaged or of a newer version. */
export function readManifest(folder: Pick<DataFolder, 'path'>): FolderManifest | FormerFolderManifest | undefined {
  const file = manifestFile(folder);
  if (!existsSync(file)) return undefined;
  const stored = parseManifest(folder, file);
  const manifest = z.union([FormerManifest, Manifest]).safeParse(stored);
  if (!manifest.success) {
    throw new Error(
      `The data folder ${folder.path} was created by another version: this one does not understand its manifest.json.`,
    );
  }
  if (!isFormer(manifest.data) && manifest.data.minimumReader > folderFormat) {
    throw new Error(
      `The data folder ${folder.path} has format ${manifest.data.format}, which this version cannot read: it reads formats 2 to ${folderFormat}. Start the version that wrote it, or a newer one.`,
    );
  }
  return manifest.data;
}

function parseManifest({ path }: Pick<DataFolder, 'path'>, file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`The manifest.json of the data folder ${path} is damaged: restore it from a backup.`, {
      cause: error,
    });
  }
}

/** Writes what this version knows; the format of a newer folder is kept. */
export function writeManifest(
  folder: DataFolder,
  manifest: Omit<FolderManifest, 'format' | 'minimumReader'>,
): FolderManifest {
  const former: Partial<FolderManifest> = manifest;
  const written: FolderManifest = {
    ...manifest,
    format: Math.max(folderFormat, former.format ?? 0),
    minimumReader: Math.max(minimumReader, former.minimumReader ?? 0),
  };
  replaceDurably(manifestFile(folder), written);
  return written;
}

function replaceDurably(file: string, content: unknown): void {
  const fresh = `${file}.new`;
  try {
    writeDurably(fresh, `${JSON.stringify(content)}\n`);
    renameSync(fresh, file);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
  syncFolder(dirname(file));
}

/** Throws an Error with a sentence for the operator when the accounts in the folder have another origin. */
export function assertSameOrigin({ path }: DataFolder, known: string | undefined, origin: string): void {
  if (known === undefined || known === origin) return;
  throw new Error(
    `The accounts in the data folder ${path} belong to ${known}; other servers would not recognise them as accounts of ${origin}. Start with --origin=${known}, or with another data folder. To rename all of them anyway, remove "origin" from its manifest.json.`,
  );
}

/** The same for the domain of their handles. */
export function assertSameDomain(
  { path }: DataFolder,
  known: Pick<FolderManifest, 'origin' | 'domain'> | undefined,
  domain: string,
): void {
  if (known?.origin === undefined) return;
  const knownDomain = known.domain ?? new URL(known.origin).host;
  if (knownDomain === domain) return;
  throw new Error(
    `The handles of the accounts in the data folder ${path} end in @${knownDomain}, not in @${domain}: other servers would not recognise them. Start with --domain=${knownDomain}, or with another data folder.`,
  );
}

/** The same for another number of partitions than the folder has; 0 stands for any. */
export function assertSamePartitions({ path }: DataFolder, existing: number | undefined, wanted: number): void {
  if (existing === undefined || wanted === 0 || wanted === existing) return;
  throw new Error(
    `The data folder ${path} has ${existing} partitions, not ${wanted}. Start with --partitions=${existing}, or without the option; or stop the server and run: murmuration repartition ${wanted}`,
  );
}
