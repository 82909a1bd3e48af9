/** What `murmuration storage` and `murmuration compact` do, and what they print. */
import { statfsSync } from 'node:fs';
import { StorageInput } from '../../gateway/operator/admin/requests.ts';
import { systemClock } from '../../runtime/threads/clock.ts';
import type { LongCommand } from '../backup/commands.ts';
import { openBeside } from '../backup/moment.ts';
import { Pace } from '../backup/pace.ts';
import type { Compacted } from '../folder/compact.ts';
import { findDataFolder } from '../folder/data-folder.ts';
import { measureFiles } from './files.ts';
import { keepTotals, keptTotals, totalsBefore } from './kept-report.ts';
import { measurePartition, type PartitionUse } from './measure.ts';
import { growthOf, linesOf, type StorageReport, sizeText, totalsOf } from './report.ts';
import { countUnused } from './unused.ts';

/** A server beside it goes first. */
const bytesPerSecond = 32_000_000;

/** Returns lines for the operator. Rejects with an Error whose message is a sentence. */
export async function runStorage(given: unknown, { options, signal, show, complain }: LongCommand): Promise<string[]> {
  const { json } = StorageInput.parse(given);
  const folder = findDataFolder(options.dataDirectory);
  const pace = new Pace(bytesPerSecond, signal);
  const { partitions, unused } = await openBeside(
    folder,
    async (opened) => {
      const measured: PartitionUse[] = [];
      for (const [number, partition] of opened.partitions.entries()) {
        show(`Partition ${number + 1} of ${opened.partitions.length}`);
        measured.push(await measurePartition(partition, pace));
      }
      show('What nobody uses');
      return { partitions: measured, unused: await countUnused(opened.partitions, systemClock.now()) };
    },
    complain,
  );
  show('Files');
  const files = await measureFiles(folder.path);
  const { bavail, bsize } = statfsSync(folder.path);
  const report: StorageReport = { at: systemClock.now(), partitions, files, unused, diskFreeBytes: bavail * bsize };
  const totals = totalsOf(report);
  const growth = growthOf(totals, totalsBefore(keptTotals(folder.path), report.at));
  keepTotals(folder.path, totals);
  return json ? [JSON.stringify({ ...report, growth })] : linesOf(report, growth);
}

export function compactedLines({ bytesBefore, bytesAfter }: Compacted): string[] {
  return [`The database takes ${sizeText(bytesAfter)}, before: ${sizeText(bytesBefore)}.`];
}
