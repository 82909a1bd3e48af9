/** The sources as the rules see them: text, masked text, and which file imports which. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { maskText } from './mask.ts';

export interface ImportReference {
  readonly specifier: string;
  /** The path of the file when the specifier is relative. */
  readonly target: string | undefined;
  readonly line: number;
}

export interface SourceFile {
  /** From the project's root, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly code: string;
  readonly bare: string;
  readonly comments: string;
  readonly imports: readonly ImportReference[];
}

export type Project = ReadonlyMap<string, SourceFile>;

export interface Finding {
  readonly path: string;
  readonly line: number;
  readonly what: string;
}

export interface Rule {
  readonly name: string;
  /** What to do about a finding. */
  readonly advice: string;
  check(project: Project): Finding[];
}

/** `from '…'`, `import '…'`, `import('…')` and the `new URL('…', import.meta.url)` of a worker thread. */
const referencePattern =
  /\b(?:(?:import|export)\b[^'"`;()]*?\bfrom\s*|import\s*\(?\s*|new\s+URL\(\s*(?=['"]\.))(['"])([^'"\n]+)\1/g;

export function createProject(texts: Readonly<Record<string, string>>): Project {
  return new Map(Object.entries(texts).map(([path, text]) => [path, createSourceFile(path, text)]));
}

function createSourceFile(path: string, text: string): SourceFile {
  const masked = maskText(text);
  return { path, text, ...masked, imports: findImports(path, masked.code, masked.bare) };
}

function findImports(path: string, code: string, bare: string): ImportReference[] {
  // A match that begins inside a string is an example, not an import.
  const matches = [...code.matchAll(referencePattern)].filter((match) => bare[match.index] !== ' ');
  return matches.map((match) => {
    const specifier = match[2]!;
    const target = specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : undefined;
    return { specifier, target, line: lineAt(code, match.index + match[0].length) };
  });
}

/** Lines count from 1. */
export function lineAt(text: string, index: number): number {
  let line = 1;
  for (let end = text.indexOf('\n'); end >= 0 && end < index; end = text.indexOf('\n', end + 1)) line += 1;
  return line;
}

const scannedFolders = ['src', 'test', 'bench'];
const passedOver = new Set(['fixtures', 'snapshots', 'results', '.cache']);

export function readProject(root: string): Project {
  const texts: Record<string, string> = {};
  const walk = (folder: string): void => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory() && !passedOver.has(entry.name)) walk(path);
      else if (/\.(ts|mjs)$/.test(entry.name)) texts[path] = readFileSync(join(root, path), 'utf8');
    }
  };
  for (const folder of scannedFolders) if (existsSync(join(root, folder))) walk(folder);
  return createProject(texts);
}

/** What the server is made of. */
export function sourcesOf(project: Project): SourceFile[] {
  return filesOf(project, /^src\//);
}

export function filesOf(project: Project, paths: RegExp): SourceFile[] {
  return [...project.values()].filter((file) => paths.test(file.path));
}

/** The findings of every place where a pattern with the flag g matches. */
export function findPattern(
  file: SourceFile,
  text: string,
  pattern: RegExp,
  what: (match: string) => string,
): Finding[] {
  return [...text.matchAll(pattern)].map((match) => ({
    path: file.path,
    line: lineAt(text, match.index),
    what: what(match[0].trim().replaceAll(/\s+/g, ' ')),
  }));
}
