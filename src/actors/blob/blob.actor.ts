/**
 * Keeps the bytes of a blob for as long as somebody refers to them.
 *
 * INVARIANTS
 * 1. Bytes are removed only when nobody holds them, nobody has announced to hold them, and after an hour in which that
 *    may change. Whoever announces them meanwhile is refused, and stores them again afterwards.
 * 2. A blob that nobody holds has a timer, or is being removed.
 */
import { type BodyOf, implement } from '../../runtime/contract.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Turn } from '../../runtime/partition/turn.ts';
import { removeBlob } from './blob.effects.ts';
import { Blob } from './blob.messages.ts';
import { type BlobRecord, blobHolders, blobs, isHeld } from './blob.state.ts';

type BlobTurn = Turn<string>;

const hourMilliseconds = 60 * 60 * 1_000;
/** Messages between partitions may wait while a disk is full. */
const announcedMilliseconds = 24 * hourMilliseconds;

function announce(turn: BlobTurn, { bytes }: BodyOf<typeof Blob.announce>): undefined {
  const before = turn.get(blobs, [turn.self.key]);
  if (before?.isBeingRemoved === true) throw new Failure('overloaded');
  keep(turn, { name: turn.self.key, bytes, awaitedUntil: turn.now + announcedMilliseconds });
}

function hold(turn: BlobTurn, { holderId, bytes }: BodyOf<typeof Blob.hold>): undefined {
  const name = turn.self.key;
  turn.put(blobHolders, [name, holderId], { name });
  if (turn.get(blobs, [name]) === undefined) turn.put(blobs, [name], { name, bytes, awaitedUntil: turn.now });
}

function release(turn: BlobTurn, { holderId }: BodyOf<typeof Blob.release>): undefined {
  const name = turn.self.key;
  turn.delete(blobHolders, [name, holderId]);
  const known = turn.get(blobs, [name]);
  if (known === undefined || known.isBeingRemoved === true || isHeld(turn, name)) return;
  keep(turn, { ...known, awaitedUntil: Math.max(known.awaitedUntil, turn.now + hourMilliseconds) });
}

function keep(turn: BlobTurn, record: BlobRecord): void {
  turn.put(blobs, [record.name], record);
  turn.schedule(record.awaitedUntil, Blob.sweep.to(record.name, {}));
}

function sweep(turn: BlobTurn): undefined {
  const name = turn.self.key;
  const known = turn.get(blobs, [name]);
  const isUnused = known !== undefined && known.awaitedUntil <= turn.now && !isHeld(turn, name);
  if (!isUnused || known.isBeingRemoved === true) return;
  turn.put(blobs, [name], { ...known, isBeingRemoved: true });
  turn.effect(removeBlob, { name }, Blob.removed);
}

/** For a holder that came too late the bytes are missing until they are stored again: `check` names them. */
function removed(turn: BlobTurn): undefined {
  const name = turn.self.key;
  const known = turn.get(blobs, [name]);
  if (known === undefined) return;
  if (isHeld(turn, name)) turn.put(blobs, [name], { ...known, isBeingRemoved: undefined });
  else turn.delete(blobs, [name]);
}

export const blobActor = implement<BlobTurn>()(Blob, { announce, hold, release, sweep, removed });
