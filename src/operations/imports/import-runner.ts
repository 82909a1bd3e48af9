/**
 * Does what rows of an import say, for their account, with the operations that it would use itself. Runs on network threads;
 * the account asks for one slice after another (actors/account/imports/imports.ts).
 */
import { type DoneSlice, importRows } from '../../actors/account/imports/imports.effects.ts';
import { findImport, rowsOfChunk } from '../../actors/account/imports/imports.queries.ts';
import type { ImportedRow, RowResult } from '../../actors/account/imports/imports.records.ts';
import { type EffectRunner, runnerOf } from '../../runtime/effects.ts';
import { asFailure, isTemporary } from '../../runtime/errors.ts';
import type { Services } from '../../services/services.ts';
import type { AccountCaller } from '../caller.ts';
import type { OperationContext } from '../operation.ts';
import { type RowTaker, rowTakers } from './row-takers.ts';
import { contextIfUsable } from './usable-context.ts';

/** Most wait for other servers. */
const rowsAtOnce = 5;

export function importRunner(services: Services): readonly [number, EffectRunner<unknown, unknown>] {
  return runnerOf(importRows, async ({ accountId, importId, chunk }): Promise<DoneSlice> => {
    const known = findImport(services.snapshots, accountId, importId);
    if (known === undefined || known.endedAt !== undefined || known.list === 'posts')
      return { importId, chunk, results: [] };
    const context = contextIfUsable(services, accountId);
    if (context === undefined) return { importId, chunk, results: [], isBarred: true };
    const taker = rowTakers[known.list];
    if (chunk < 0) return { importId, chunk, results: [], hasMore: await taker.removeOthers(context, importId) };
    const rows = rowsOfChunk(services.snapshots, accountId, importId, chunk);
    const results: RowResult[] = [];
    const atOnce = taker.inOrder ? 1 : rowsAtOnce;
    for (let first = 0; first < rows.length; first += atOnce) {
      const some = rows.slice(first, first + atOnce);
      results.push(...(await Promise.all(some.map((row) => resultOf(context, taker, row)))));
    }
    return { importId, chunk, results };
  });
}

const resultOfCode: Readonly<Record<string, RowResult>> = { notFound: 'unknown', remoteUnreachable: 'unreachable' };

async function resultOf(
  context: OperationContext<AccountCaller>,
  taker: RowTaker,
  { values, result }: ImportedRow,
): Promise<RowResult> {
  if (result !== undefined) return result;
  try {
    return (await taker.take(context, values)) ? 'done' : 'unknown';
  } catch (error) {
    const failure = asFailure(error);
    const told = resultOfCode[failure.code];
    if (told !== undefined) return told;
    // The slice runs again.
    if (isTemporary(failure)) throw error;
    return 'refused';
  }
}
