/** Nothing is dead, and nothing is untested. */
import { posix } from 'node:path';
import { type Finding, filesOf, lineAt, type Rule, type SourceFile, sourcesOf } from '../project.ts';

/** Where a run begins. */
const entryFiles = ['src/main.ts', 'src/start.mjs'];

export const noDeadFiles: Rule = {
  name: 'every source file is reached from an entry',
  advice: 'import it where it is needed, or remove it; what only tests need belongs to test/support',
  check(project) {
    const reached = new Set<string>();
    const open = [...entryFiles];
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      const file = project.get(path);
      if (file === undefined || reached.has(path)) continue;
      reached.add(path);
      for (const { target } of file.imports) if (target !== undefined) open.push(target);
    }
    const dead = sourcesOf(project).filter((file) => !reached.has(file.path));
    return dead.map((file) => ({ path: file.path, line: 1, what: 'nothing that runs imports it' }));
  },
};

const exportPattern = /^export (?:abstract |async )?(?:const|let|function\*?|class|interface|type) +(\w+)/gm;
const wordPattern = /\w+/g;

/** By name: two exports of the same name count as one, so that this finds less than there is, never more. */
export const noDeadExports: Rule = {
  name: 'every export is used',
  advice: 'remove it, or its export when nothing outside needs it; what only tests call belongs to the tests',
  check(project) {
    const files = [...project.values()].map((file) => ({ file, words: new Set(file.code.match(wordPattern)) }));
    return sourcesOf(project).flatMap((file) => {
      const elsewhere = (folder: RegExp, name: string): boolean =>
        files.some((other) => other.file !== file && folder.test(other.file.path) && other.words.has(name));
      return exportsOf(file).flatMap(({ name, line, isShape }): Finding[] => {
        if (elsewhere(/^src\//, name)) return [];
        if (!isUsedInside(file, name)) return [{ path: file.path, line, what: `nothing that runs uses ${name}` }];
        // The shapes of what is exported, types and schemas, are exported with it.
        if (isShape || elsewhere(/^(test|bench)\//, name)) return [];
        return [{ path: file.path, line, what: `nothing outside uses ${name}` }];
      });
    });
  },
};

function exportsOf(file: SourceFile): { name: string; line: number; isShape: boolean }[] {
  return [...file.bare.matchAll(exportPattern)].map((match) => ({
    name: match[1]!,
    line: lineAt(file.bare, match.index),
    isShape: /^[A-Z]/.test(match[1]!),
  }));
}

/** Whether its own file names it beyond the declaration; a schema and the type inferred from it are one thing. */
function isUsedInside({ bare }: SourceFile, name: string): boolean {
  const inferred = new RegExp(`^export type ${name} = z\\.(infer|output)<typeof ${name}>;`, 'gm');
  const rest = bare
    .replaceAll(inferred, '')
    .replaceAll(exportPattern, (declaration, declared) => (declared === name ? '' : declaration));
  return new RegExp(`\\b${name}\\b`).test(rest);
}

/** Endpoints, the threads' compositions and the command run in a server that tests start and ask: no test imports them. */
const testedFromOutside =
  /^src\/(main\.ts$|(?:build|start)\.mjs$|server\/[^/]+-thread\.ts$|gateway\/rest\/[^/]+\/(?!limits))/;
const runsCode = /\b(function|class)\b|=>/;

export const testedFiles: Rule = {
  name: 'every file has a test',
  advice: 'write a test that imports it, or another file of its folder when the folder is one thing',
  check(project) {
    const imported = new Set(filesOf(project, /^test\//).flatMap((file) => file.imports.map(({ target }) => target)));
    const folders = new Set([...imported].filter((path) => path !== undefined).map((path) => posix.dirname(path)));
    const untested = sourcesOf(project).filter(({ path, bare }) => {
      const folder = posix.dirname(path);
      const isPartOfTestedFolder = folder !== 'src/runtime' && folders.has(folder);
      return !testedFromOutside.test(path) && runsCode.test(bare) && !imported.has(path) && !isPartOfTestedFolder;
    });
    return untested.map((file) => ({ path: file.path, line: 1, what: 'no test imports it' }));
  },
};

const addressPattern = /\bpath: (['`])(\/[^'`]*)\1/g;

export const askedAddresses: Rule = {
  name: 'every address that the server answers is asked by a test',
  advice: 'write a test that sends a request there, with the path written out',
  check(project) {
    const tests = filesOf(project, /^test\//).map(({ code }) => code);
    return filesOf(project, /^src\/gateway\//).flatMap((file) =>
      [...file.code.matchAll(addressPattern)].flatMap((match): Finding[] => {
        const request = requestPattern(match[2]!);
        if (tests.some((code) => request.test(code))) return [];
        return [{ path: file.path, line: lineAt(file.code, match.index), what: `no test asks ${match[2]}` }];
      }),
    );
  },
};

/** How a test writes a request for an address: with something in the place of each name. */
function requestPattern(address: string): RegExp {
  const segments = address.split('/').map((segment) => {
    const [, mark = '', kind] = /^(@?)([:*])\w+$/.exec(segment) ?? [];
    if (kind === undefined) return segment.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return kind === '*' ? `[^\\s'"\`]+` : `${mark}(?:\\$\\{[^}]*\\}|[^/\\s'"\`?]+)`;
  });
  return new RegExp(`${segments.join('/')}(?![\\w/])`);
}

const rateLimitPattern = /^ {2}(\w+): \{ per: /gm;
const limitedPattern = /\b(?:(?:limit|rateLimit): |takeLimit\(|limits\.take(?:For)?\()'(\w+)'/g;

export const usedRateLimits: Rule = {
  name: 'every rate limit is that of an operation, an endpoint or a route',
  advice: 'remove the limit, or declare it where its requests come in',
  check(project) {
    const limited = new Set(
      sourcesOf(project).flatMap(({ code }) => [...code.matchAll(limitedPattern)].map((match) => match[1])),
    );
    return filesOf(project, /\/rate-limits\.ts$/).flatMap((file) =>
      [...file.code.matchAll(rateLimitPattern)].flatMap((match): Finding[] =>
        limited.has(match[1])
          ? []
          : [{ path: file.path, line: lineAt(file.code, match.index), what: `nothing has the limit ${match[1]}` }],
      ),
    );
  },
};
