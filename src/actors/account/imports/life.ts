/** The beginning and the end of an import, of whatever kind. */
import { Failure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { removeUploadedFiles } from '../media/media.effects.ts';
import { ownLogin } from '../profile/profile.turn.ts';
import { folderOfImport, type Import } from './imports.records.ts';
import { importChunks, imports } from './imports.state.ts';
import { importLimits } from './limits.ts';

/** Throws conflict while another one runs. */
export function newImport(turn: AccountTurn): Id {
  ownLogin(turn);
  if (ownImports(turn).some(({ endedAt }) => endedAt === undefined))
    throw new Failure('conflict', { reason: 'importRuns' });
  return addedImport(turn);
}

/** Of one that comes with another, and runs beside it. */
export function addedImport(turn: AccountTurn): Id {
  const known = ownImports(turn);
  for (const { id } of known.slice(0, Math.max(0, known.length + 1 - importLimits.keptMax))) forgetImport(turn, id);
  return turn.nextId();
}

function ownImports(turn: AccountTurn): Import[] {
  return Array.from(turn.range(imports, [turn.self.key]), ({ value }) => value);
}

export function endImport(
  turn: AccountTurn,
  known: Import,
  how: Pick<Import, 'isCancelled' | 'problem'> = {},
): undefined {
  const { key: accountId } = turn.self;
  const { file, ...kept } = known;
  const { id: importId } = kept;
  if (file !== undefined) removeFiles(turn, importId, file);
  turn.put(imports, [accountId, importId], { ...kept, ...how, endedAt: turn.now });
  turn.schedule(turn.now + importLimits.keptMilliseconds, Account.importDue.to(accountId, { importId }));
}

/** `file`: the archive itself, where it is still there. */
export function removeFiles(turn: AccountTurn, importId: Id, file?: string): void {
  for (const name of [folderOfImport(importId), file])
    if (name !== undefined) turn.effect(removeUploadedFiles, { file: name }, Account.uploadRemoved);
}

/** The record goes last: its rows belong to it. Where it was running, so do its files. */
export function forgetImport(turn: AccountTurn, importId: Id): void {
  const { key: accountId } = turn.self;
  const { chunksRemovedPerTurn: limit } = importLimits;
  const some = [...turn.range(importChunks, [accountId, importId], { limit })];
  for (const { key } of some) turn.delete(importChunks, key);
  if (some.length === limit) {
    turn.tell(Account.importDue.to(accountId, { importId }));
    return;
  }
  const known = turn.get(imports, [accountId, importId]);
  if (known === undefined) return;
  if (known.file !== undefined) removeFiles(turn, importId, known.file);
  turn.delete(imports, [accountId, importId]);
}
