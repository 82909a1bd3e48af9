/**
 * Ids of statuses of other servers, and of imported ones, computed from the time of publication, so that they sort by it and not
 * by arrival.
 */
import { hash } from 'node:crypto';
import { composeId, type Id, idsPerMillisecond, slotOfId } from '../../../runtime/ids.ts';
import type { AccountTurn } from '../account.turn.ts';
import { statuses, tombstones } from './statuses.state.ts';

/**
 * Candidates for the id of such a status. The time is min(published, received), clamped between 1970 and the
 * millisecond before now, where no live id can follow. Where `published` has whole seconds only, milliseconds and
 * counter come from a hash of the URI, so that posts of the same second do not collide. After a candidate that is taken
 * come the others of its millisecond, 64 in all; after these the caller uses a live id. These ids never move the live
 * counter.
 */
export function* backdatedIds(slot: number, publishedAt: number, receivedAt: number, uri: string): Generator<Id> {
  const last = Math.max(0, receivedAt - 1);
  let milliseconds = Math.max(0, Math.min(publishedAt, last));
  const digest = hash('sha256', uri, 'buffer');
  if (milliseconds % 1000 === 0) milliseconds = Math.min(milliseconds + (digest.readUInt16BE(0) % 1000), last);
  const first = digest[2]! % idsPerMillisecond;
  for (let attempt = 0; attempt < idsPerMillisecond; attempt += 1) {
    yield composeId(milliseconds, slot, (first + attempt) % idsPerMillisecond);
  }
}

/** An id at the time of publication; a live one when 64 in a row are taken. */
export function freeId(turn: AccountTurn, uri: string, publishedAt: number, receivedAt: number): Id {
  for (const id of backdatedIds(slotOfId(turn.self.key), publishedAt, Math.min(receivedAt, turn.now), uri)) {
    if (turn.get(statuses, [id]) === undefined && turn.get(tombstones, [id]) === undefined) return id;
  }
  return turn.nextId();
}
