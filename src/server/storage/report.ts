/** What `murmuration storage` tells: what takes the disk space of a data folder, and how it grows. */
import { type FileUse, type PlaceName, places } from './files.ts';
import { sumOf, type Totals } from './kept-report.ts';
import { type Kind, kinds } from './kinds.ts';
import type { Amount, PartitionUse } from './measure.ts';
import type { UnusedStatuses } from './unused.ts';

const dayMilliseconds = 86_400_000;

export interface StorageReport {
  readonly at: number;
  readonly partitions: readonly PartitionUse[];
  readonly files: FileUse;
  readonly unused: UnusedStatuses;
  /** Of the file system. */
  readonly diskFreeBytes: number;
}

export interface Growth {
  readonly since: number;
  readonly bytes: number;
  readonly bytesPerDay: number;
}

export function amountOf({ partitions }: Pick<StorageReport, 'partitions'>, kind: Kind): Amount {
  const amounts = partitions.map((partition) => partition.kinds[kind]);
  return {
    entries: amounts.reduce((sum, { entries }) => sum + entries, 0),
    bytes: amounts.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/** As they are kept: space on the disk, so that their sum is the size of the folder. */
export function totalsOf({ at, partitions, files }: StorageReport): Totals {
  const database = partitions.reduce((sum, { fileBytes }) => sum + fileBytes, 0);
  return {
    at,
    bytes: { database, ...Object.fromEntries(Object.entries(files).map(([name, { bytes }]) => [name, bytes])) },
  };
}

export function growthOf(now: Totals, before: Totals | undefined): Growth | undefined {
  if (before === undefined) return undefined;
  const bytes = sumOf(now) - sumOf(before);
  return { since: before.at, bytes, bytesPerDay: (bytes * dayMilliseconds) / (now.at - before.at) };
}

/** Days until the disk is full; undefined where it does not grow. */
export function daysLeft({ bytesPerDay }: Growth, freeBytes: number): number | undefined {
  return bytesPerDay <= 0 ? undefined : Math.floor(freeBytes / bytesPerDay);
}

export function sizeText(bytes: number): string {
  const size = Math.abs(bytes);
  if (size >= 1_000_000_000) return `${(bytes / 1_000_000_000).toFixed(2)} GB`;
  if (size >= 1_000_000) return `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `${Math.round(bytes / 1_000)} kB`;
}

export function linesOf(report: StorageReport, growth: Growth | undefined): string[] {
  const { partitions, files, diskFreeBytes } = report;
  const database = partitions.reduce((sum, { fileBytes }) => sum + fileBytes, 0);
  const free = partitions.reduce((sum, { freeBytes }) => sum + freeBytes, 0);
  return [
    'In the database:',
    ...bySize(Object.keys(kinds) as Kind[], (kind) => amountOf(report, kind).bytes).map((kind) => {
      const { entries, bytes } = amountOf(report, kind);
      return `  ${sizeText(bytes).padStart(10)}  ${kinds[kind]}: ${entries} entries`;
    }),
    `Its files: ${sizeText(database)} in ${partitions.length} partitions, of which ${sizeText(free)} are free inside.`,
    ...partitions.map(
      ({ fileBytes, freeBytes }, number) =>
        `  partition-${number}: ${sizeText(fileBytes)}, free ${sizeText(freeBytes)}`,
    ),
    'What is free inside is used by the next writes. To give it back to the disk, stop the server and run: murmuration compact',
    'Beside the database:',
    ...bySize(Object.keys(places) as PlaceName[], (name) => files[name].bytes).map(
      (name) => `  ${sizeText(files[name].bytes).padStart(10)}  ${places[name]}: ${files[name].files} files`,
    ),
    ...unusedLines(report),
    ...growthLines(growth, diskFreeBytes),
  ];
}

function unusedLines(report: StorageReport): string[] {
  const { days, nextAt, run, olderThan } = report.unused;
  const { entries, bytes } = amountOf(report, 'otherPosts');
  const ofEach = entries === 0 ? 0 : bytes / entries;
  return [
    'Public posts of other servers that nobody here uses:',
    ...olderThan.map(
      ({ days: age, statuses }) =>
        `  older than ${age} days: ${statuses}, which take at least ${sizeText(statuses * ofEach)}`,
    ),
    days === 0
      ? 'All are kept. MURMURATION_REMOTE_STATUS_DAYS says how old they become.'
      : `Those older than ${days} days are forgotten. ${runText(run)}${nextText(nextAt)}`,
  ];
}

function runText(run: UnusedStatuses['run']): string {
  if (run === undefined) return '';
  const { startedAt, endedAt, examined, forgotten } = run;
  const begun = `The run of ${new Date(startedAt).toISOString()} has looked at ${examined} and forgotten ${forgotten}`;
  return endedAt === undefined ? `${begun} so far.` : `${begun}.`;
}

function nextText(nextAt: number | undefined): string {
  return nextAt === undefined ? '' : ` The next one begins at ${new Date(nextAt).toISOString()}.`;
}

function growthLines(growth: Growth | undefined, freeBytes: number): string[] {
  const free = `Free on the disk: ${sizeText(freeBytes)}.`;
  if (growth === undefined) return [free, 'Growth is known from the next report on, an hour later at the earliest.'];
  const days = daysLeft(growth, freeBytes);
  const since = new Date(growth.since).toISOString();
  return [
    `${free} Since ${since} the folder has grown by ${sizeText(growth.bytes)}, which is ${sizeText(growth.bytesPerDay)} a day.`,
    ...(days === undefined ? [] : [`At this rate the disk is full in ${days} days.`]),
  ];
}

/** Largest first, without what takes nothing. */
function bySize<Name>(names: readonly Name[], bytesOf: (name: Name) => number): Name[] {
  return names.filter((name) => bytesOf(name) > 0).sort((one, other) => bytesOf(other) - bytesOf(one));
}
