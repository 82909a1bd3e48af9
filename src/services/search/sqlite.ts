/** SQLite as Node brings it. */
import type { DatabaseSync } from 'node:sqlite';

/** Codes of SQLite (https://www.sqlite.org/rescode.html): the file is damaged, or none of its own. */
const damaged: ReadonlySet<number> = new Set([11, 26]);
/** What an operator can do something about. */
const sentences: ReadonlyMap<number, string> = new Map([
  [5, 'Another program has locked the index.'],
  [6, 'Another program has locked the index.'],
  [8, 'The index cannot be written: it is read-only.'],
  [10, 'The disk reports an error.'],
  [13, 'The disk is full.'],
  [14, 'The index cannot be opened.'],
]);
/** SQLITE_ERROR: a statement is wrong, or its tables are not there. */
const wrong = 1;
const primaryCode = 0xff;

/**
 * The module warns on every thread that it is experimental. Node is pinned, and the index can be built anew: the operator
 * needs no such line.
 */
export function loadSqlite(): { readonly DatabaseSync: typeof DatabaseSync } {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** The file cannot be used any more; false for another error, such as a full disk. */
export function isDamage(error: unknown): boolean {
  const code = codeOf(error);
  return code !== undefined && damaged.has(code);
}

/** Its tables are not those that a statement needs. */
export function isForeign(error: unknown): boolean {
  return codeOf(error) === wrong;
}

/** Why the index cannot be used for the moment. */
export function sentenceOf(error: unknown): string {
  return sentences.get(codeOf(error) ?? 0) ?? (error instanceof Error ? error.message : String(error));
}

function codeOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode & primaryCode : undefined;
}
