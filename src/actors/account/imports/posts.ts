/**
 * Imports of the posts of an archive: an effect unpacks it and counts them, others take them over, some at a time, so that a
 * restart goes on. A post is stored once, by the address at which it was written. Bookmarks in it are an import of their own,
 * which runs at the same time.
 *
 * INVARIANT the archive and what was unpacked of it are there as long as the import runs.
 */
import type { BodyOf } from '../../../runtime/contract.ts';
import { Failure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { contentOfWritten } from '../../policy/status-parts.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { storeDecoded } from '../media/store-media.ts';
import { ownProfile } from '../profile/profile.turn.ts';
import { freeId } from '../statuses/backdated-ids.ts';
import { factsOf } from '../statuses/status-facts.ts';
import { statusImported } from '../statuses/statuses.events.ts';
import type { PublishedStatus } from '../statuses/statuses.messages.ts';
import type { Status } from '../statuses/statuses.records.ts';
import { storeStatus } from '../statuses/store-status.ts';
import { tellParent } from '../statuses/tell-concerned.ts';
import { importPosts, readArchive } from './imports.effects.ts';
import type { importMessages } from './imports.messages.ts';
import type { Import } from './imports.records.ts';
import { importChunks, importedPosts, imports } from './imports.state.ts';
import { beginRows } from './imports.ts';
import { addedImport, endImport, newImport, removeFiles } from './life.ts';
import { importLimits } from './limits.ts';

export function beginPosts(turn: AccountTurn, { file }: BodyOf<typeof importMessages.beginPosts>): { importId: Id } {
  const { key: accountId } = turn.self;
  const importId = newImport(turn);
  const begun = { id: importId, list: 'posts' as const, overwrites: false, startedAt: turn.now };
  turn.put(imports, [accountId, importId], { ...begun, rows: 0, chunks: 0, done: 0, failed: 0, file });
  turn.effect(readArchive, { accountId, importId }, Account.archiveRead);
  return { importId };
}

export function archiveRead(turn: AccountTurn, message: BodyOf<typeof importMessages.archiveRead>): undefined {
  const { importId, rows = 0, problem, isBarred = false, bookmarks = [] } = message;
  const known = running(turn, importId);
  if (known === undefined || known.isRead === true) return;
  if (problem !== undefined || isBarred) return endImport(turn, known, isBarred ? { isCancelled: true } : { problem });
  if (bookmarks.length > 0)
    beginRows(turn, addedImport(turn), {
      ...{ list: 'bookmarks', overwrites: false },
      rows: bookmarks.map((address, index) => ({ line: index + 1, values: [address] })),
    });
  goOn(turn, { ...known, rows, isRead: true });
}

export function postsTried(turn: AccountTurn, message: BodyOf<typeof importMessages.postsTried>): undefined {
  const { importId, from, tried, failed, leftOut = 0, problem, isBarred = false } = message;
  const known = running(turn, importId);
  if (known === undefined || triedIn(known) !== from) return;
  const { rowsStored = 0 } = known;
  const rows = failed.slice(0, importLimits.rowsMax - rowsStored);
  if (rows.length > 0) turn.put(importChunks, [turn.self.key, importId, BigInt(from)], { rows });
  const notDone = failed.length + leftOut;
  const counted = {
    ...known,
    done: known.done + tried - notDone,
    failed: known.failed + notDone,
    chunks: known.chunks + (rows.length > 0 ? 1 : 0),
    rowsStored: rowsStored + rows.length,
  };
  if (problem !== undefined || isBarred)
    return endImport(turn, counted, isBarred ? { isCancelled: true } : { problem });
  goOn(turn, counted);
}

/** What an effect has unpacked for an import that was cancelled meanwhile goes again. */
function running(turn: AccountTurn, importId: Id): Import | undefined {
  const known = turn.get(imports, [turn.self.key, importId]);
  if (known !== undefined && known.endedAt === undefined) return known;
  removeFiles(turn, importId);
  return undefined;
}

const triedIn = ({ done, failed }: Import) => done + failed;

function goOn(turn: AccountTurn, known: Import): undefined {
  const [{ key: accountId }, from] = [turn.self, triedIn(known)];
  if (from >= known.rows) return endImport(turn, known);
  turn.put(imports, [accountId, known.id], known);
  turn.effect(importPosts, { accountId, importId: known.id, from }, Account.postsTried);
}

/** Without streams, homes, notifications and other servers: only the author of what it answers counts it. */
export function importPost(turn: AccountTurn, message: BodyOf<typeof importMessages.importPost>): PublishedStatus {
  if (ownProfile(turn).suspendedAt !== undefined) throw new Failure('forbidden');
  const { uri, publishedAt, editedAt, media, answersUnknown, tally, ...written } = message;
  const { key: accountId } = turn.self;
  const known = turn.get(importedPosts, [accountId, uri]);
  if (known !== undefined) return { statusId: known.id, isRepeated: true };
  const createdAt = Math.min(publishedAt, turn.now);
  const attachments = media.map((medium) => storeDecoded(turn, medium));
  const status: Status = {
    ...contentOfWritten({ ...written, attachments }, createdAt),
    ...{ id: freeId(turn, uri, createdAt, turn.now), accountId, createdAt, answersUnknown, importedFrom: uri },
    ...(editedAt !== undefined && { editedAt: Math.min(editedAt, turn.now) }),
  };
  const facts = factsOf(status);
  storeStatus(turn, status, facts, { tally });
  turn.emit(statusImported, facts);
  const parent = tellParent(turn, status);
  if (parent !== undefined) turn.tell(parent);
  return { statusId: status.id };
}
