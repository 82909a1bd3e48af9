/** What test files know of each other and of storage: those that share a process leave nothing, those of actors know queries. */
import { posix } from 'node:path';
import { filesAlone } from '../../support/process-of-files.ts';
import { filesOf, findPattern, type Project, type Rule, type SourceFile } from '../project.ts';

const replacedForAll = /\bvi\s*\.\s*(?:mock|doMock|hoisted|resetModules|useFakeTimers|setSystemTime|stubGlobal)\b/g;

export const replacementsAlone: Rule = {
  name: 'a test file that replaces modules, timers or globals has a process of its own',
  advice: 'add it to filesAlone of test/support/process-of-files.ts',
  check: (project) =>
    filesOf(project, /^test\/.*\.test\.ts$/)
      .filter(({ path }) => !filesAlone.some((pattern) => posix.matchesGlob(path, pattern)))
      .flatMap((test) =>
        [...withHelpers(project, test)]
          .flatMap((file) => findPattern(file, file.bare, replacedForAll, (match) => match))
          .map((finding) => ({ ...finding, what: `${finding.what} in ${test.path}` })),
      ),
};

/** A test file and all files of test/ that it imports, directly or not. */
function withHelpers(project: Project, test: SourceFile): Set<SourceFile> {
  const files = new Set([test]);
  // The set grows while it is walked.
  for (const { imports } of files)
    for (const { target } of imports) {
      const file = target?.startsWith('test/') ? project.get(target) : undefined;
      if (file !== undefined) files.add(file);
    }
  return files;
}

/** What a thread counts or computes once, and folders of names that do not come again: nobody finds it changed. */
const countingModules = new Set([
  'src/gateway/http/request-ids.ts',
  'src/operations/registration/passwords.ts',
  'src/runtime/ids.ts',
  'test/support/server.ts',
]);
/** They are run, not imported; the last one runs anew for every test file. */
const programs = /(^|\/)(?:fixtures\/|crash-child\.ts$|early-reader\.ts$)|^test\/support\/left-behind\.ts$/;
const moduleState =
  /^(?:export )?(?:let \w+|const \w+(?:: (?:Map|Set|WeakMap|WeakSet)<.*>)? = new (?:Map|Set)(?:<.*>)?\(\))/gm;

export const noModuleState: Rule = {
  name: 'modules keep no state',
  advice: 'keep it in what a thread or a test makes for itself; a test would find what an earlier one left',
  check: (project) =>
    filesOf(project, /^(?:src\/|test\/(?!.*\.test\.ts$))/)
      .filter(({ path }) => !countingModules.has(path) && !programs.test(path))
      .flatMap((file) => findPattern(file, file.bare, moduleState, (match) => match)),
};

export const partitionsAreHosted: Rule = {
  name: 'tests and benches make partitions in one place',
  advice:
    'start it with a PartitionHost (test/support/partition-host.ts), and give that what differs: log, schedule, wire',
  check: (project) =>
    filesOf(project, /^(?:test|bench)\/(?!support\/partition-host\.ts$)/).flatMap((file) =>
      findPattern(file, file.bare, /\bnew\s+Partition\s*\(/g, (match) => match),
    ),
};

const storedEntry = /\bread\s*\.\s*(?:get|range)\(|\.partitions\b[^;]*\brange\(/g;

export const actorsThroughQueries: Rule = {
  name: 'tests of actors read through queries',
  advice:
    'assert replies, events and what queries answer (test/support/observer.ts); entryCounts says that nothing is left, expectSound that counters and indexes agree',
  check: (project) =>
    filesOf(project, /^test\/actors\//).flatMap((file) => findPattern(file, file.bare, storedEntry, (match) => match)),
};
