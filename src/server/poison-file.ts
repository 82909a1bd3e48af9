/** Stores the poison messages of a data folder: `poison.json`. */
import { existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { syncFolder, writeDurably } from '../runtime/storage/durable-files.ts';
import { PoisonousMessage, type PoisonStore } from '../runtime/threads/poison.ts';
import type { Report } from './log.ts';

const List = z.array(PoisonousMessage);

/** An unreadable list is reported and started anew: poison messages will be noticed again. */
export function poisonFile(folder: string, report: Report): PoisonStore {
  const file = join(folder, 'poison.json');
  return {
    load() {
      if (!existsSync(file)) return [];
      try {
        return List.parse(JSON.parse(readFileSync(file, 'utf8')));
      } catch (error) {
        report({
          level: 'warn',
          message: `the list of poison messages ${file} could not be read and starts empty`,
          error,
        });
        return [];
      }
    },
    save(list) {
      try {
        writeDurably(`${file}.new`, `${JSON.stringify(list, undefined, 1)}\n`);
        renameSync(`${file}.new`, file);
        syncFolder(folder);
      } catch (error) {
        report({ level: 'error', message: `the list of poison messages ${file} could not be written`, error });
      }
    },
  };
}
