/** Words that are banned in some places, and why: each table row says what to write instead. */
import { type Finding, filesOf, findPattern, type Rule, type SourceFile } from '../project.ts';

interface BannedWord {
  readonly pattern: RegExp;
  readonly instead: string;
}

function findWords(file: SourceFile, text: string, words: readonly BannedWord[]): Finding[] {
  return words.flatMap(({ pattern, instead }) => findPattern(file, text, pattern, (match) => `${match}: ${instead}`));
}

/** Turns and queries, and the translations that are pure functions by design. */
const pureFiles = /^src\/(actors|federation\/documents|gateway\/entities)\//;
/** A query over many records is sliced, and so are the migrations of an offline command. */
const slicedFiles = /\.(queries|migrations)\.ts$/;

const asynchronousWords: readonly BannedWord[] = [
  { pattern: /\b(async|await)\b/g, instead: 'a turn is synchronous; ask for an effect and handle its answer' },
];

const impureWords: readonly BannedWord[] = [
  { pattern: /\bDate\.now\b|\bnew\s+Date\(\s*\)|\bperformance\.now\b/g, instead: 'take the time from the turn' },
  {
    pattern: /\bMath\.random\b|\b(randomUUID|randomBytes|randomInt|getRandomValues|generateKeyPair\w*)\b/g,
    instead: 'take randomness from the turn, keys from an effect',
  },
  { pattern: /\b(setTimeout|setInterval|setImmediate|queueMicrotask)\b/g, instead: 'schedule a message' },
  { pattern: /(?<![.\w])fetch\s*\(/g, instead: 'ask for an effect' },
  { pattern: /(?<![.\w])process\./g, instead: 'pass the value in a message or as a setting' },
];

/** Modules of Node that only compute. */
const pureModules = new Set(['node:crypto', 'node:util', 'node:buffer', 'node:url', 'node:assert']);

function impureModules(file: SourceFile): Finding[] {
  return file.imports
    .filter(({ specifier }) => specifier.startsWith('node:') && !pureModules.has(specifier))
    .map(({ specifier, line }) => ({ path: file.path, line, what: `${specifier}: ask for an effect` }));
}

export const pureCode: Rule = {
  name: 'turns, queries and translations are deterministic',
  advice: 'only the turn object and the ports touch the world',
  check: (project) =>
    filesOf(project, pureFiles).flatMap((file) => [
      ...(slicedFiles.test(file.path) ? [] : findWords(file, file.bare, asynchronousWords)),
      ...findWords(file, file.bare, impureWords),
      ...impureModules(file),
    ]),
};

const placedElsewhere = /^src\/(?!runtime\/(placement|ids)\.ts$|server\/)/;
const placements: readonly BannedWord[] = [
  { pattern: /\b(evenPlacement|slotCount)\b/g, instead: 'take the placement that src/server hands in' },
  {
    pattern: /%\s*[\w.]*\b(counts?|owners?|networks?|networkThreads|partitions|threads|slots)\b(?![\w.])/g,
    instead: 'ask the placement',
  },
];

export const placementIsAsked: Rule = {
  name: 'where something lives and who serves it is asked of the placement',
  advice: 'take a Placement (src/runtime/ports.ts); turns have turn.partitionOf',
  check: (project) => filesOf(project, placedElsewhere).flatMap((file) => findWords(file, file.bare, placements)),
};

const perThread: readonly BannedWord[] = [
  {
    pattern: /^(export )?const \w+ = new WeakMap<[^,]*\b(\w*Services|Snapshots|Translator)\b/gm,
    instead: 'member(…) of src/services/members.ts',
  },
];

export const membersOfThreads: Rule = {
  name: 'what a thread has once is held by its services, not by a module',
  advice: 'a copy of the services would get a second one: declare it with member() (src/services/members.ts)',
  check: (project) => filesOf(project, /^src\//).flatMap((file) => findWords(file, file.bare, perThread)),
};

const clockless = /^src\/(?!runtime\/threads\/clock\.ts$)/;
/** Timers, turns, letters and commits have dates. */
const undated = /^src\/runtime\/partition\/(?!(rounds|turn-runner|dead-letters|gate)\.ts$)/;

export const durationsAreMonotonic: Rule = {
  name: 'what lasts is measured with the monotonic clock',
  advice:
    'ask a Clock (src/runtime/ports.ts) for monotonic(), and for now() where a date is meant: somebody may set the wall clock while a pause lasts',
  check: (project) => [
    ...filesOf(project, clockless).flatMap((file) => findPattern(file, file.bare, /\bDate\.now\b/g, (match) => match)),
    ...filesOf(project, undated).flatMap((file) => findPattern(file, file.bare, /\bclock\.now\b/g, (match) => match)),
  ],
};

export const noConsole: Rule = {
  name: 'the console belongs to the commands',
  advice: 'report through the log; only src/gateway/operator/cli and src/start.mjs print',
  check: (project) =>
    filesOf(project, /^src\/(?!gateway\/operator\/cli\/|start\.mjs$)/).flatMap((file) =>
      findPattern(file, file.bare, /\bconsole\.\w+/g, (match) => match),
    ),
};

/** Once compiled, Node 22's URL.canParse says no to each host with letters beyond ASCII. */
export const addressesAreParsed: Rule = {
  name: 'an address is parsed, not asked whether it could be',
  advice: 'use URL.parse(text), which returns null for what is no address',
  check: (project) =>
    filesOf(project, /^src\//).flatMap((file) => findPattern(file, file.bare, /\bURL\.canParse\b/g, (match) => match)),
};

export const nothingLeftForLater: Rule = {
  name: 'nothing is left for later in a comment',
  advice: 'do it now, or open an issue',
  check: (project) =>
    filesOf(project, /^/).flatMap((file) =>
      findPattern(file, file.comments, /\b(TODO|FIXME|XXX|HACK)\b/g, (match) => match),
    ),
};

export const typesKept: Rule = {
  name: 'types and checks are not given up',
  advice: 'use unknown and narrow it, or give the value its real type',
  check: (project) =>
    filesOf(project, /^/).flatMap((file) => [
      ...findPattern(file, file.bare, /(?:[:<|&,=(]|\bas|=>)\s*any\b(?!\s*[(:.])/g, (match) => match),
      ...findPattern(
        file,
        file.comments,
        /@ts-(ignore|nocheck)|\b(biome|eslint)-(ignore|disable)\S*/g,
        (match) => match,
      ),
      // In a test it asserts that the compiler refuses the next line.
      ...(file.path.startsWith('test/') ? [] : findPattern(file, file.comments, /@ts-expect-error/g, (match) => match)),
    ]),
};

export const noEmptyCatch: Rule = {
  name: 'no catch block is empty',
  advice: 'handle the error that is expected and throw the others again, or report it',
  check: (project) =>
    filesOf(project, /^/).flatMap((file) =>
      findPattern(file, file.bare, /\bcatch\s*(\([^)]*\))?\s*\{\s*\}/g, (match) => match),
    ),
};

const focused = /\b(?:test|it|describe|bench)(?:\.\w+)*\.only\b/g;
const switchedOff = /\b(?:(?:test|it|describe|bench)(?:\.\w+)*\.(?:skip|skipIf|runIf|todo)|xit|xtest|xdescribe)\b/g;

export const testsRun: Rule = {
  name: 'every test runs',
  advice: 'remove .only; where a test must be passed over, say why in a comment on the line before: "// because …"',
  check: (project) =>
    filesOf(project, /^(test|bench)\//).flatMap((file) => {
      const lines = file.comments.split('\n');
      const isExplained = ({ line }: Finding) =>
        [lines[line - 2], lines[line - 1]].some((comment) => comment?.includes('because '));
      return [
        ...findPattern(file, file.bare, focused, (match) => match),
        ...findPattern(file, file.bare, switchedOff, (match) => match).filter((finding) => !isExplained(finding)),
      ];
    }),
};

export const noSleeps: Rule = {
  name: 'tests do not sleep',
  advice: 'wait for what shall happen with until() of test/support/until.ts, or inject a clock',
  check: (project) =>
    filesOf(project, /^test\/(?!(.+\/)?support\/)/).flatMap((file) => [
      ...findPattern(file, file.bare, /\bsetTimeout\b|\bAtomics\.wait\b|\b(sleep|delay)\s*\(/g, (match) => match),
      ...file.imports
        .filter(({ specifier }) => /^(node:)?timers/.test(specifier))
        .map(({ specifier, line }) => ({ path: file.path, line, what: `import of ${specifier}` })),
    ]),
};
