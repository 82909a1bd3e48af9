/** Earlier totals of the report, in the data folder: growth is what has changed since. Losing the file loses nothing else. */
import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writeDurably } from '../../runtime/storage/durable-files.ts';

const Totals = z.object({ at: z.number(), bytes: z.record(z.string(), z.number()) });
/** Bytes by what takes them, at a time in milliseconds since 1970. */
export type Totals = z.infer<typeof Totals>;

const hourMilliseconds = 3_600_000;
const keptMax = 100;
/** What was measured sooner says little about growth. */
const apartMilliseconds = hourMilliseconds;

function fileIn(folder: string): string {
  return join(folder, 'storage-reports.json');
}

/** Oldest first; none where the file is missing or damaged. */
export function keptTotals(folder: string): readonly Totals[] {
  try {
    return z.array(Totals).safeParse(JSON.parse(readFileSync(fileIn(folder), 'utf8'))).data ?? [];
  } catch (error) {
    if (error instanceof SyntaxError || (error instanceof Error && 'code' in error && error.code === 'ENOENT'))
      return [];
    throw error;
  }
}

/** The newest that is an hour older than `now`. */
export function totalsBefore(kept: readonly Totals[], now: number): Totals | undefined {
  return kept.findLast(({ at }) => at <= now - apartMilliseconds);
}

/** Of two within an hour the earlier is kept. */
export function keepTotals(folder: string, totals: Totals): void {
  const kept = keptTotals(folder);
  const last = kept.at(-1);
  if (last !== undefined && totals.at - last.at < apartMilliseconds && totals.at >= last.at) return;
  const fresh = `${fileIn(folder)}.new`;
  writeDurably(fresh, JSON.stringify([...kept.filter(({ at }) => at < totals.at), totals].slice(-keptMax)));
  renameSync(fresh, fileIn(folder));
}

export function sumOf({ bytes }: Totals): number {
  return Object.values(bytes).reduce((sum, part) => sum + part, 0);
}
