/** What `murmuration check` must find after a test: nothing. */
import { keyspaces, rules } from '../../src/actors/catalogue.ts';
import { evenPlacement } from '../../src/runtime/placement.ts';
import { checkServer } from '../../src/runtime/storage/check-server.ts';
import type { StorageReader } from '../../src/runtime/storage/log.ts';
import type { Rule } from '../../src/runtime/storage/rules.ts';
import { checkFolder } from '../../src/server/folder/check-folder.ts';
import { openDataFolder } from '../../src/server/folder/data-folder.ts';

/** Of a server that has stopped. Throws an Error with what is wrong. */
export async function assertSoundFolder(path: string): Promise<void> {
  const { sound, lines } = await checkFolder(openDataFolder(path));
  if (!sound) throw new Error(`The data folder is unsound:\n${lines.join('\n')}`);
}

/** Of partitions in memory, by these rules. Throws an Error with what is wrong. */
export function assertSound(readers: readonly StorageReader[], by: readonly Rule[] = rules): void {
  const placement = evenPlacement(readers.length);
  const { partitions } = checkServer({ placement, readers, keyspaces, rules: by });
  const problems = partitions.flatMap((outcome) => outcome.problems);
  if (problems.length > 0) throw new Error(`The partitions are unsound:\n${problems.join('\n')}`);
}
