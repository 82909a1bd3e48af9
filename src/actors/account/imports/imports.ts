/**
 * Imports of lists: the rows are stored at once, and done by effects, some at a time, so that a restart goes on. A row that is
 * done twice changes nothing.
 */
import type { BodyOf } from '../../../runtime/contract.ts';
import { Failure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { importRows } from './imports.effects.ts';
import type { importMessages } from './imports.messages.ts';
import type { Import } from './imports.records.ts';
import { importChunks, imports } from './imports.state.ts';
import { endImport, forgetImport, newImport } from './life.ts';
import { importLimits } from './limits.ts';

const removing = -1;

export function beginImport(
  turn: AccountTurn,
  { list, overwrites, rows }: BodyOf<typeof importMessages.beginImport>,
): { importId: Id } {
  const importId = newImport(turn);
  beginRows(turn, importId, { list, overwrites, rows });
  return { importId };
}

export function beginRows(
  turn: AccountTurn,
  importId: Id,
  { list, overwrites, rows }: BodyOf<typeof importMessages.beginImport>,
): void {
  const { key: accountId } = turn.self;
  const { rowsPerChunk } = importLimits;
  const chunks = Math.ceil(rows.length / rowsPerChunk);
  for (let chunk = 0; chunk < chunks; chunk += 1) {
    const some = rows.slice(chunk * rowsPerChunk, (chunk + 1) * rowsPerChunk);
    turn.put(importChunks, [accountId, importId, BigInt(chunk)], { rows: some });
  }
  const begun = { id: importId, list, overwrites, startedAt: turn.now };
  turn.put(imports, [accountId, importId], { ...begun, rows: rows.length, chunks, done: 0, failed: 0 });
  goOn(turn, importId, overwrites ? removing : 0);
}

function goOn(turn: AccountTurn, importId: Id, chunk: number): void {
  turn.effect(importRows, { accountId: turn.self.key, importId, chunk }, Account.importSliceDone);
}

export function importSliceDone(
  turn: AccountTurn,
  { importId, chunk, results, hasMore = false, isBarred = false }: BodyOf<typeof importMessages.importSliceDone>,
): undefined {
  const { key: accountId } = turn.self;
  const known = turn.get(imports, [accountId, importId]);
  if (known === undefined || known.endedAt !== undefined) return;
  if (isBarred) return endImport(turn, known, { isCancelled: true });
  const next = hasMore ? chunk : chunk + 1;
  const counted = chunk === removing ? known : withResults(turn, known, chunk, results);
  if (next >= known.chunks) return endImport(turn, counted);
  turn.put(imports, [accountId, importId], counted);
  goOn(turn, importId, next);
}

function withResults(
  turn: AccountTurn,
  known: Import,
  chunk: number,
  results: BodyOf<typeof importMessages.importSliceDone>['results'],
): Import {
  const key: [Id, Id, bigint] = [turn.self.key, known.id, BigInt(chunk)];
  const rows = turn.get(importChunks, key)?.rows ?? [];
  turn.put(importChunks, key, { rows: rows.map((row, index) => ({ ...row, result: results[index] })) });
  const done = results.filter((result) => result === 'done').length;
  return { ...known, done: known.done + done, failed: known.failed + results.length - done };
}

export function cancelImport(turn: AccountTurn, { importId }: BodyOf<typeof importMessages.cancelImport>): undefined {
  const known = turn.get(imports, [turn.self.key, importId]);
  if (known === undefined) throw new Failure('notFound');
  if (known.endedAt !== undefined) throw new Failure('conflict');
  endImport(turn, known, { isCancelled: true });
}

export function importDue(turn: AccountTurn, { importId }: BodyOf<typeof importMessages.importDue>): undefined {
  forgetImport(turn, importId);
}
