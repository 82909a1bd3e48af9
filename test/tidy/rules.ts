/** The house rules, all of them. */
import type { Rule } from './project.ts';
import { importDirection, noCycles, noDeadFiles, testedFiles } from './rules/imports.ts';
import { fileHeader, fileLength, noBarrels, noDefaultExports } from './rules/shape.ts';
import {
  noConsole,
  noEmptyCatch,
  noSleeps,
  nothingLeftForLater,
  pureCode,
  testsRun,
  typesKept,
} from './rules/words.ts';

/** In force. */
export const rules: readonly Rule[] = [
  importDirection,
  noCycles,
  fileLength,
  fileHeader,
  noDefaultExports,
  noBarrels,
  pureCode,
  noConsole,
  nothingLeftForLater,
  typesKept,
  noEmptyCatch,
  testsRun,
  noSleeps,
];

/** Rules about the whole program, not in force while parts of it are still missing. Then they move up. */
export const waitingRules: readonly Rule[] = [noDeadFiles, testedFiles];
