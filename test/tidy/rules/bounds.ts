/** Everything that grows has a bound. */
import { boundedBy } from '../bounds.ts';
import { type Finding, lineAt, type Rule, sourcesOf } from '../project.ts';

/** A field of a class or a variable of a module that begins empty. */
const collection =
  /^(?: {2}(?:(?:private|public|protected|static|readonly) )*|(?:export )?(?:const|let) )(\w+)(?:: (?!Readonly|readonly )[^=\n]+?)? = (?:new (?:Map|Set|WeakMap|WeakSet|Fifo|IdMap)\b[^;]*?\(\)|\[\]);/gm;

function namesIn(path: string): Set<string> {
  return new Set(boundedBy.filter(([known]) => known === path).flatMap(([, names]) => names.split(' ')));
}

export const collectionsAreBounded: Rule = {
  name: 'what bounds each collection is written down',
  advice: 'take a SizedMap with a share of services/caches.ts, or say in test/tidy/bounds.ts what bounds it',
  check: (project) =>
    sourcesOf(project).flatMap((file): Finding[] => {
      const rows = namesIn(file.path);
      const unknown = [...file.bare.matchAll(collection)].filter(([, name]) => !rows.delete(name!));
      return [
        ...unknown.map(({ index, 1: name }) => ({
          path: file.path,
          line: lineAt(file.bare, index),
          what: `${name} may grow`,
        })),
        ...[...rows].map((name) => ({ path: file.path, line: 1, what: `${name} has a bound and is not there` })),
      ];
    }),
};
