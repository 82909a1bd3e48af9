/**
 * The activities of an outbox in the order of their time, as a file of rows of one length: a reply comes after what it answers,
 * whatever the order of the outbox. Memory holds a few numbers for each.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { importLimits } from '../../../actors/account/imports/limits.ts';
import { timeOf } from '../../../federation/documents/values.ts';
import { isJsonObject, type JsonObject, parseJsonObject } from '../../../outbound/fetcher/json.ts';
import { archiveRefused } from '../../../services/archives/archive-problems.ts';
import { itemsOfCollection } from '../../../services/archives/collection-items.ts';
import { archiveReadingLimits } from './limits.ts';
import type { UnpackedArchive } from './unpacked-archive.ts';

interface Place {
  readonly at: number;
  readonly offset: number;
  readonly bytes: number;
  /** In the outbox, from 1 on. */
  readonly number: number;
}

export interface ArchivedActivity {
  readonly number: number;
  /** Undefined for what is too large, or no activity. */
  readonly activity: JsonObject | undefined;
}

const rowBytes = 16;
const { activityBytesMax, activityDepthMax } = archiveReadingLimits;

/**
 * Returns how many there are. Throws Failure archiveBroken, archiveWithoutPosts, archiveTooManyPosts. `assertWanted` is called
 * for each: what it throws ends it.
 */
export async function writePostIndex(archive: UnpackedArchive, assertWanted: () => void): Promise<number> {
  const places: Place[] = [];
  for await (const { offset, bytes, text } of itemsOfCollection(archive.readOutbox(), activityBytesMax)) {
    assertWanted();
    if (places.length === importLimits.postsMax) throw archiveRefused('archiveTooManyPosts');
    const at = text === undefined ? undefined : timeOfActivity(parseJsonObject(text, activityDepthMax));
    places.push({ at: at ?? 0, offset, bytes: Math.min(bytes, activityBytesMax + 1), number: places.length + 1 });
  }
  places.sort((one, other) => one.at - other.at || one.number - other.number);
  const rows = Buffer.alloc(places.length * rowBytes);
  for (const [index, { offset, bytes, number }] of places.entries()) {
    rows.writeDoubleBE(offset, index * rowBytes);
    rows.writeUInt32BE(bytes, index * rowBytes + 8);
    rows.writeUInt32BE(number, index * rowBytes + 12);
  }
  const file = await open(archive.index, 'w');
  try {
    await file.write(rows);
  } finally {
    await file.close();
  }
  return places.length;
}

function timeOfActivity(activity: JsonObject | undefined): number | undefined {
  const object = activity?.object;
  return timeOf((isJsonObject(object) ? object.published : undefined) ?? activity?.published);
}

/** So many from there on, each read when it is asked for. */
export async function* archivedActivities(
  archive: UnpackedArchive,
  from: number,
  limit: number,
): AsyncGenerator<ArchivedActivity> {
  const index = await open(archive.index, 'r');
  const outbox = await open(archive.outbox, 'r');
  try {
    const rows = await bytesAt(index, from * rowBytes, limit * rowBytes);
    for (let start = 0; start < rows.length; start += rowBytes) {
      const [bytes, number] = [rows.readUInt32BE(start + 8), rows.readUInt32BE(start + 12)];
      const text = bytes > activityBytesMax ? undefined : await bytesAt(outbox, rows.readDoubleBE(start), bytes);
      yield { number, activity: text && parseJsonObject(text, activityDepthMax) };
    }
  } finally {
    await index.close();
    await outbox.close();
  }
}

async function bytesAt(file: FileHandle, offset: number, bytes: number): Promise<Buffer> {
  const memory = Buffer.alloc(bytes);
  const { bytesRead } = await file.read(memory, 0, bytes, offset);
  return memory.subarray(0, bytesRead);
}
