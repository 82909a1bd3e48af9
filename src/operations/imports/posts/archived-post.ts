/** Reads a post of an archive: an activity as its outbox has it, whose files are in the archive. */
import type { RowResult } from '../../../actors/account/imports/imports.records.ts';
import { importLimits } from '../../../actors/account/imports/limits.ts';
import { visibilityOf } from '../../../federation/documents/audience.ts';
import { type RemoteNote, readAudience, readNote } from '../../../federation/documents/read-note.ts';
import { firstOf, isTrue, objectsOf, referenceOf, typeOf } from '../../../federation/documents/values.ts';
import { isStatusType } from '../../../federation/documents/vocabulary.ts';
import { isFollowersOf, type KnownAccount } from '../../../federation/known-accounts.ts';
import { activityLimits } from '../../../federation/limits.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../outbound/fetcher/json.ts';
import { UnpackedArchive } from './unpacked-archive.ts';

export interface ArchivedPost {
  readonly note: RemoteNote;
  readonly publishedAt: number;
  readonly visibility: 'public' | 'unlisted' | 'private';
  /** It was for its own server alone. */
  readonly isLocalOnly: boolean;
  /** The files of its attachments in the unpacked archive, by their addresses in the note; undefined for others. */
  fileOf(url: string): string | undefined;
}

/** Addresses that stand for files of an archive while its documents are read. Nobody asks them for anything. */
const placeholder = 'https://archive.invalid/';

/** What a post is found by, where it can be told. */
export function addressOfActivity(activity: JsonObject): string | undefined {
  return referenceOf(activity.object) ?? referenceOf(activity);
}

/** What becomes of it, where it is no post to take over. */
export function readArchivedPost(activity: JsonObject, author: KnownAccount, now: number): ArchivedPost | RowResult {
  const type = typeOf(activity);
  if (type === 'Announce') return isBy(activity.actor, author) ? 'boost' : 'foreign';
  const object = isStatusType(type) ? activity : activity.object;
  if ((type !== 'Create' && !isStatusType(type)) || object === undefined || !isJsonObject(object)) return 'unreadable';
  if (!isBy(object.attributedTo ?? activity.actor, author)) return 'foreign';
  const note = readNote(
    { ...object, attributedTo: author.uri, attachment: withPlaceholders(object.attachment) },
    readAudience(activity),
  );
  if (note === undefined || note.isVote) return 'unreadable';
  const visibility = visibilityOf(note, (name) => isFollowersOf(author, name));
  if (visibility === 'direct') return 'direct';
  const { publishedAt } = note;
  if (publishedAt === undefined || !isPossible(publishedAt, now)) return 'undated';
  return {
    note,
    publishedAt,
    visibility,
    isLocalOnly: isTrue(object.localOnly),
    fileOf: (url) => fileAt(object.attachment, url),
  };
}

/** Nobody wrote posts before 1970, and a zero is what a missing time became. */
function isPossible(publishedAt: number, now: number): boolean {
  return publishedAt > 0 && publishedAt <= now + importLimits.aheadMillisecondsMax;
}

function isBy(value: JsonValue | undefined, { uri }: KnownAccount): boolean {
  return referenceOf(firstOf(value)) === uri;
}

/** Addresses in archives are paths, which no reader of documents takes. */
function withPlaceholders(attachments: JsonValue | undefined): JsonValue {
  return objectsOf(attachments, activityLimits.objectsMax).map((attachment, index) => ({
    ...attachment,
    ...{ url: `${placeholder}${index}`, icon: null },
  }));
}

function fileAt(attachments: JsonValue | undefined, url: string): string | undefined {
  const attachment = objectsOf(attachments, activityLimits.objectsMax)[Number(url.slice(placeholder.length))];
  const link = firstOf(attachment?.url ?? attachment?.href);
  const path = isJsonObject(link) ? link.href : link;
  return typeof path === 'string' ? UnpackedArchive.mediaName(path.replace(/[?#].*$/, '')) : undefined;
}
