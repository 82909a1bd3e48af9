/** Inside the account: the order of its features, and who writes their state. */
import { floors } from '../floors.ts';
import { type Finding, filesOf, findPattern, type ImportReference, type Rule, type SourceFile } from '../project.ts';

const account = 'src/actors/account/';
const features = /^src\/actors\/account\/[^/]+\//;
/** What every feature shows to all others: messages, stored shapes, events, effects, parts, bounds. */
const face = /\/(?:[^/]+\.(?:messages|records|events|effects|part)|limits)\.ts$/;
/** What stands below all features, and the tables by which they hear of each other. */
const foundation = /^src\/actors\/account\/(?:account\.(?:messages|records|state|turn)|hooks-of-[^/]+)\.ts$/;
const tableOfHooks = /^src\/actors\/account\/hooks-of-[^/]+\.ts$/;

function featureOf(path: string): string | undefined {
  return features.test(path) ? path.slice(account.length).split('/')[0] : undefined;
}

const floorOf = (feature: string): number => floors.findIndex((names) => names.includes(feature));

export const floorsOfAccount: Rule = {
  name: 'features of an account use those on lower floors',
  advice:
    'give a new feature its floor in test/tidy/floors.ts; use lower ones directly; what happens below is heard of by a row in x.hooks.ts (account/hooks-of-statuses.ts, account/hooks-of-relationships.ts); a read of several features stands beside them in src/actors/account',
  check: (project) =>
    filesOf(project, /^src\/actors\/account\//).flatMap((file) => {
      const feature = featureOf(file.path);
      if (feature === undefined) return tableOfHooks.test(file.path) ? hooksOnly(file) : [];
      if (floorOf(feature) < 0) return [{ path: file.path, line: 1, what: `${feature} has no floor` }];
      return file.imports.flatMap((reference) => floorProblem(file, feature, reference));
    }),
};

function floorProblem({ path }: SourceFile, feature: string, { target = '', line }: ImportReference): Finding[] {
  if (!target.startsWith(account) || face.test(target) || foundation.test(target)) return [];
  const other = featureOf(target);
  if (other === feature) return [];
  if (other === undefined) return [{ path, line, what: `${target} stands above ${feature}` }];
  if (/\.hooks\.ts$/.test(target)) return [{ path, line, what: `only a table of hooks may import ${target}` }];
  const isBelow = floorOf(other) >= 0 && floorOf(other) < floorOf(feature);
  return isBelow ? [] : [{ path, line, what: `${other} is not below ${feature}` }];
}

function hooksOnly({ path, imports }: SourceFile): Finding[] {
  return imports
    .filter(({ target = '' }) => !/[.-]hooks\.ts$/.test(target))
    .map(({ specifier, line }) => ({ path, line, what: `a table of hooks may not import ${specifier}` }));
}

const stateImport = /\bimport\s*\{([^}]*)\}\s*from\s*'([^']+\.state\.ts)'/g;

export const stateIsWrittenAtHome: Rule = {
  name: 'the state of a feature is written in its own folder',
  advice:
    'others read it by its keyspaces or queries, and change it by a function of the feature, such as in its x.turn.ts',
  check: (project) =>
    filesOf(project, features).flatMap((file) => {
      const feature = featureOf(file.path)!;
      const foreign = [...file.code.matchAll(stateImport)].filter(([, , specifier]) => {
        const target = file.imports.find((reference) => reference.specifier === specifier)?.target ?? '';
        return featureOf(target) !== undefined && featureOf(target) !== feature;
      });
      const names = foreign.flatMap(([, list]) =>
        list!
          .split(',')
          .map((name) => name.trim())
          .filter(Boolean),
      );
      if (names.length === 0) return [];
      const written = new RegExp(`\\.(?:put|delete)\\(\\s*(?:${names.join('|')})\\b`, 'g');
      return findPattern(file, file.bare, written, (match) => `${match.replace(/\s+/g, '')} of another feature`);
    }),
};
