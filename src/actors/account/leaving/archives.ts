/**
 * An archive of everything that a local account has here: built by effects, a slice each, so that a restart goes on; then held
 * in the blob store for a week. Its owner is told by mail.
 */
import type { BodyOf } from '../../../runtime/contract.ts';
import { Failure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { Blob } from '../../blob/blob.messages.ts';
import type { HeldBlob } from '../../blob/blob.records.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { sendMail } from '../mail/send-mail.ts';
import { ownLogin } from '../profile/profile.turn.ts';
import { buildArchive } from './leaving.effects.ts';
import type { leavingMessages } from './leaving.messages.ts';
import type { Archive, ArchiveProgress } from './leaving.records.ts';
import { archives } from './leaving.state.ts';
import { leavingLimits } from './limits.ts';

export function requestArchive(turn: AccountTurn): { archiveId: Id } {
  ownLogin(turn);
  const before = turn.get(archives, [turn.self.key]);
  if (before !== undefined && !isReplaceable(before, turn.now))
    throw new Failure('conflict', { reason: 'archiveLately' });
  if (before !== undefined) drop(turn, before);
  const archiveId = turn.nextId();
  turn.put(archives, [turn.self.key], { id: archiveId, requestedAt: turn.now });
  build(turn, archiveId, undefined);
  return { archiveId };
}

function isReplaceable({ requestedAt, readyAt, failedAt }: Archive, now: number): boolean {
  if (failedAt !== undefined) return true;
  return readyAt !== undefined && now >= requestedAt + leavingLimits.archiveEveryMilliseconds;
}

function build(turn: AccountTurn, archiveId: Id, progress: ArchiveProgress | undefined): void {
  turn.effect(buildArchive, { accountId: turn.self.key, archiveId, progress }, Account.archiveBuilt);
}

/** One that is ready, or that nobody wants any more, gets one more slice, which removes its files. */
export function archiveBuilt(
  turn: AccountTurn,
  { archiveId, progress, blob, hasFailed = false }: BodyOf<typeof leavingMessages.archiveBuilt>,
): undefined {
  const known = turn.get(archives, [turn.self.key]);
  const isWanted = known?.id === archiveId && known.readyAt === undefined && known.failedAt === undefined;
  if (!isWanted) {
    if (progress !== undefined) build(turn, archiveId, progress);
  } else if (blob !== undefined) keep(turn, known, blob);
  else if (hasFailed) {
    turn.put(archives, [turn.self.key], { ...known, failedAt: turn.now });
    sendMail(turn, { kind: 'archiveFailed' });
  } else build(turn, archiveId, progress);
}

function keep(turn: AccountTurn, archive: Archive, blob: HeldBlob): void {
  const { key: accountId } = turn.self;
  const { id: archiveId } = archive;
  turn.tell(Blob.hold.to(blob.name, { holderId: archiveId, bytes: blob.bytes }));
  turn.put(archives, [accountId], { ...archive, blob, readyAt: turn.now });
  turn.schedule(turn.now + leavingLimits.archiveKeptMilliseconds, Account.archiveDue.to(accountId, { archiveId }));
  sendMail(turn, { kind: 'archiveReady', archiveId });
  build(turn, archiveId, undefined);
}

/** Another one by now is left alone. */
export function archiveDue(turn: AccountTurn, { archiveId }: BodyOf<typeof leavingMessages.archiveDue>): undefined {
  const known = turn.get(archives, [turn.self.key]);
  if (known?.id === archiveId) drop(turn, known);
}

export function forgetArchive(turn: AccountTurn): undefined {
  const known = turn.get(archives, [turn.self.key]);
  if (known !== undefined) drop(turn, known);
}

function drop(turn: AccountTurn, { id: holderId, blob }: Archive): void {
  if (blob !== undefined) turn.tell(Blob.release.to(blob.name, { holderId }));
  turn.delete(archives, [turn.self.key]);
}
