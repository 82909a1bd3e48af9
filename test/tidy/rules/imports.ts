/** Who may import whom: the layers of ARCHITECTURE.md as a table, and no cycles. */
import { type Finding, filesOf, type ImportReference, type Rule, type SourceFile, sourcesOf } from '../project.ts';

/** What puts the parts together, for each thread, the list of all actors, what holds between them, and how they move. */
const composition = /^src\/([^/]+\.(ts|mjs)|server\/.+|actors\/(catalogue|between-kinds\.rules|relocations)\.ts)$/;

interface Layer {
  readonly name: string;
  readonly files: RegExp;
  /** Which of our files it may import. */
  mayImport(target: string, file: SourceFile): boolean;
}

/** What an actor shows to others: messages, the shapes in them, the bounds of both, and the events it appends. */
const actorFace = /^src\/actors\/[^/]+\/(?:[^/]+\/)?(?:[^/]+\.(?:messages|records|events|part)|limits)\.ts$/;
/** What an actor shows to whoever is no actor beyond that. */
const actorReads = /^src\/actors\/[^/]+\/(?:[^/]+\/)?[^/]+\.(queries|effects)\.ts$/;
/** The words and pure questions that all actors share: files directly in src/actors, and these folders. */
const actorCommons = /^src\/actors\/([^/]+\.ts$|ids\/|policy\/|text\/)/;
/** Order and followers by partition: any turn writes there what its own facts imply, in the same commit. */
const partitionEntries = /^src\/actors\/partition\/(?!.*\.actor\.ts$)/;
/** The parts of the machine that only owner threads and the composition use. */
const ownerMachinery =
  /^src\/runtime\/(partition\/|cluster\/|storage\/(?!(snapshots|reader)\.ts$)|threads\/(owner|supervisor)\.ts$)/;

/** Views live beside actors but are no turns: they read committed state, as queries do. */
const views = /^src\/actors\/[^/]+\/[^/]+\.view\.ts$/;

const actorFolder = (path: string): string => path.split('/').slice(0, 3).join('/');

/** These folders, the options, the machine without what owners alone use, and what actors show. */
function outsideActors(...folders: readonly string[]): Layer['mayImport'] {
  return (target) =>
    [...folders, 'options'].some((folder) => target.startsWith(`src/${folder}/`)) ||
    (target.startsWith('src/runtime/') && !ownerMachinery.test(target)) ||
    ((actorCommons.test(target) || actorFace.test(target) || actorReads.test(target)) && !target.endsWith('.state.ts'));
}

const layers: readonly Layer[] = [
  { name: 'the composition', files: composition, mayImport: () => true },
  { name: 'src/runtime', files: /^src\/runtime\//, mayImport: (target) => target.startsWith('src/runtime/') },
  { name: 'src/options', files: /^src\/options\//, mayImport: (target) => target.startsWith('src/options/') },
  {
    name: 'src/actors/text',
    files: /^src\/actors\/text\//,
    mayImport: (target) => /^src\/(runtime|actors\/text)\//.test(target),
  },
  {
    name: 'src/actors',
    files: /^src\/actors\//,
    mayImport: (target, file) =>
      target.startsWith('src/runtime/') ||
      actorCommons.test(target) ||
      actorFace.test(target) ||
      partitionEntries.test(target) ||
      (views.test(file.path) && actorReads.test(target)) ||
      actorFolder(target) === actorFolder(file.path),
  },
  { name: 'src/services', files: /^src\/services\//, mayImport: outsideActors('services') },
  { name: 'src/outbound', files: /^src\/outbound\//, mayImport: outsideActors('services', 'outbound') },
  {
    name: 'src/federation',
    files: /^src\/federation\//,
    mayImport: outsideActors('services', 'outbound', 'federation'),
  },
  {
    name: 'src/operations',
    files: /^src\/operations\//,
    mayImport: outsideActors('services', 'outbound', 'federation', 'operations'),
  },
  {
    name: 'src/gateway',
    files: /^src\/gateway\//,
    mayImport: outsideActors('services', 'outbound', 'federation', 'operations', 'gateway'),
  },
];

/** Packages that stay behind one folder, so that they can be replaced there. */
const packageHomes: readonly (readonly [string, RegExp])[] = [
  ['lmdb', /^src\/runtime\/storage\//],
  ['@nats-io', /^src\/(runtime|server)\/cluster\//],
  ['uWebSockets.js', /^src\/gateway\//],
  ['undici', /^src\/outbound\//],
  ['esbuild', /^src\/build\.mjs$/],
];

export const importDirection: Rule = {
  name: 'imports go in the direction of the layers',
  advice:
    'reach other actors through their *.messages.ts, reads through *.queries.ts, I/O through *.effects.ts; what both sides need belongs to src/actors/policy, src/actors/text or src/runtime; only src/main.ts and src/server compose',
  check: (project) =>
    sourcesOf(project).flatMap((file) => {
      const layer = layers.find(({ files }) => files.test(file.path));
      if (layer === undefined) return [{ path: file.path, line: 1, what: 'belongs to no known layer' }];
      return file.imports.flatMap((reference) => directionProblem(layer, file, reference));
    }),
};

function directionProblem(layer: Layer, file: SourceFile, { specifier, target, line }: ImportReference): Finding[] {
  const home = packageHomes.find(([name]) => specifier === name || specifier.startsWith(`${name}/`))?.[1];
  if (home !== undefined && !home.test(file.path)) {
    return [{ path: file.path, line, what: `may not import the package ${specifier}` }];
  }
  if (target === undefined) return [];
  const composes = composition.test(target) && !composition.test(file.path);
  if (!composes && layer.mayImport(target, file)) return [];
  return [{ path: file.path, line, what: `${layer.name} may not import ${target}` }];
}

export const restStandsAlone: Rule = {
  name: 'nothing outside gateway/rest imports it',
  advice: 'what two interfaces do is an operation, what they show is in gateway/entities',
  check: (project) =>
    filesOf(project, /^src\/(?!gateway\/rest\/)/)
      .filter(({ path }) => !composition.test(path))
      .flatMap(({ path, imports }) =>
        imports
          .filter(({ target }) => target?.startsWith('src/gateway/rest/'))
          .map(({ target, line }) => ({ path, line, what: `may not import ${target}` })),
      ),
};

export const noCycles: Rule = {
  name: 'files do not import each other in a circle',
  advice: 'move what both need into a file of its own, types too',
  check(project) {
    const findings: Finding[] = [];
    const done = new Set<string>();
    const way: string[] = [];
    const visit = (file: SourceFile): void => {
      way.push(file.path);
      for (const { target, line } of file.imports) {
        const next = target === undefined ? undefined : project.get(target);
        if (next === undefined || done.has(next.path)) continue;
        const start = way.indexOf(next.path);
        if (start < 0) visit(next);
        else findings.push({ path: file.path, line, what: [...way.slice(start), next.path].join(' → ') });
      }
      way.pop();
      done.add(file.path);
    };
    for (const file of sourcesOf(project)) if (!done.has(file.path)) visit(file);
    return findings;
  },
};
