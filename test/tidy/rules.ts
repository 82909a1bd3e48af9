/** The house rules, all of them. */
import type { Rule } from './project.ts';
import { collectionsAreBounded } from './rules/bounds.ts';
import { floorsOfAccount, stateIsWrittenAtHome } from './rules/floors.ts';
import { importDirection, noCycles, restStandsAlone } from './rules/imports.ts';
import { operationsWithoutWire, requestsComeIn } from './rules/operations.ts';
import { fileHeader, fileLength, noBarrels, noDefaultExports } from './rules/shape.ts';
import { actorsThroughQueries, noModuleState, partitionsAreHosted, replacementsAlone } from './rules/tests.ts';
import { askedAddresses, noDeadExports, noDeadFiles, testedFiles, usedRateLimits } from './rules/use.ts';
import {
  addressesAreParsed,
  durationsAreMonotonic,
  membersOfThreads,
  noConsole,
  noEmptyCatch,
  noSleeps,
  nothingLeftForLater,
  placementIsAsked,
  pureCode,
  testsRun,
  typesKept,
} from './rules/words.ts';

export const rules: readonly Rule[] = [
  importDirection,
  restStandsAlone,
  noCycles,
  floorsOfAccount,
  stateIsWrittenAtHome,
  noDeadFiles,
  noDeadExports,
  testedFiles,
  askedAddresses,
  usedRateLimits,
  operationsWithoutWire,
  requestsComeIn,
  fileLength,
  fileHeader,
  noDefaultExports,
  noBarrels,
  pureCode,
  noConsole,
  addressesAreParsed,
  nothingLeftForLater,
  placementIsAsked,
  durationsAreMonotonic,
  membersOfThreads,
  typesKept,
  noEmptyCatch,
  testsRun,
  noSleeps,
  replacementsAlone,
  noModuleState,
  actorsThroughQueries,
  partitionsAreHosted,
  collectionsAreBounded,
];
