/** How a file looks: short, introduced, exported by name. */
import { type Finding, findPattern, type Project, type Rule, type SourceFile } from '../project.ts';

const linesMax = 400;

function check(
  project: Project,
  isConcerned: (path: string) => boolean,
  find: (file: SourceFile) => Finding[],
): Finding[] {
  return [...project.values()].filter((file) => isConcerned(file.path)).flatMap(find);
}

const isSource = (path: string): boolean => path.startsWith('src/');

export const fileLength: Rule = {
  name: `no file is longer than ${linesMax} lines`,
  advice: 'split it along the domain, where two jobs live in one file',
  check: (project) =>
    check(
      project,
      () => true,
      ({ path, text }) => {
        const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
        return lines > linesMax ? [{ path, line: linesMax + 1, what: `${lines} lines` }] : [];
      },
    ),
};

export const fileHeader: Rule = {
  name: 'a source file begins with a comment that says its job',
  advice: 'begin the file with one or two sentences: what lives here, and its numbered invariants if it has any',
  check: (project) =>
    check(project, isSource, ({ path, text }) =>
      /^(#!.*\n)?\/[/*]/.test(text) ? [] : [{ path, line: 1, what: 'no comment at the beginning' }],
    ),
};

export const noDefaultExports: Rule = {
  name: 'no default exports',
  advice: 'export it by its name',
  check: (project) =>
    check(project, isSource, (file) =>
      findPattern(file, file.bare, /\bexport\s+default\b|\bas\s+default\b/g, (match) => match),
    ),
};

const importStatement = /\bimport\b[^;]*?['"][^'"]*['"]\s*;?/g;
const exportFromStatement = /\bexport\s+(type\s+)?(\*(\s+as\s+\w+)?|\{[^}]*\})\s*from\s*['"][^'"]*['"]\s*;?/g;

export const noBarrels: Rule = {
  name: 'no file that only hands on what others export',
  advice: 'import from the file where it is defined',
  check: (project) =>
    check(project, isSource, (file) => {
      const stars = findPattern(file, file.code, /\bexport\s+(type\s+)?\*/g, (match) => match);
      const rest = file.code.replace(exportFromStatement, '').replace(importStatement, '').trim();
      const isBarrel = stars.length === 0 && rest === '' && exportFromStatement.test(file.code);
      exportFromStatement.lastIndex = 0;
      return isBarrel ? [{ path: file.path, line: 1, what: 'nothing but exports from other files' }] : stars;
    }),
};
