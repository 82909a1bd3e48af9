/** Reads the media of a remote status. The files stay on their server. */
import type { Attachment } from '../../actors/account/media/media.records.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../outbound/fetcher/json.ts';
import { activityLimits } from '../limits.ts';
import { type MediaLink, mediaLinkOf } from './read-media-links.ts';
import { addressOf, cutTextOf, firstOf, objectsOf, typeOf, wholeNumberOf } from './values.ts';
import { attachmentTypes } from './vocabulary.ts';

export interface RemoteAttachment {
  readonly type: Attachment['type'];
  readonly url: string;
  readonly mediaType: string | undefined;
  readonly description: string | undefined;
  readonly blurhash: string | undefined;
  readonly width: number | undefined;
  readonly height: number | undefined;
  /** The picture that the sender gives for a film, a sound or a large picture. */
  readonly previewUrl: string | undefined;
  /** Seconds. */
  readonly duration: number | undefined;
  /** Both from -1 to 1. */
  readonly focus: { readonly x: number; readonly y: number } | undefined;
}

const mediaTypePattern = /^[a-z]+\/[a-z0-9.+-]{1,100}$/;
const blurhashPattern = /^[0-9A-Za-z#$%*+,\-.:;=?@[\]^_{|}~]{6,166}$/;
const blurhashDigits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~';
/** ISO 8601, without the units whose length differs (years, months). */
const durationPattern = /^P(?:(\d{1,4})D)?(?:T(?:(\d{1,5})H)?(?:(\d{1,6})M)?(?:(\d{1,8}(?:\.\d{1,9})?)S)?)?$/;
const blurhashComponentsMax = 5;

export function readAttachments(value: JsonValue | undefined): RemoteAttachment[] {
  const attachments: RemoteAttachment[] = [];
  for (const object of objectsOf(value, activityLimits.objectsMax)) {
    const attachment = readAttachment(object);
    if (attachment !== undefined && attachments.length < activityLimits.attachmentsMax) attachments.push(attachment);
  }
  return attachments;
}

/** A film or sound that is a status itself, as PeerTube and Funkwhale send them; otherwise its preview. */
export function readFilm(object: JsonObject): RemoteAttachment[] {
  const film = filmTypes.has(typeOf(object) ?? '') ? readAttachment(object) : undefined;
  // Its name is the title, and its summary the text, which are shown as such.
  if (film?.type !== 'video' && film?.type !== 'audio') return readThumbnail(object);
  return [{ ...film, description: undefined }];
}

const filmTypes: ReadonlySet<string> = new Set(['Video', 'Audio']);

/** The preview image of a video or an article. */
function readThumbnail(object: JsonObject): RemoteAttachment[] {
  for (const value of [object.image, object.icon, object.preview]) {
    const image = firstOf(value);
    // Ghost gives its address alone.
    const given = isJsonObject(image) ? image : { url: image };
    const attachment = readAttachment({ ...given, type: 'Image' });
    if (attachment !== undefined) return [attachment];
  }
  return [];
}

function readAttachment(object: JsonObject): RemoteAttachment | undefined {
  const type = typeOf(object);
  if (type === undefined || !attachmentTypes.has(type)) return undefined;
  const link = mediaLinkOf(object.url ?? object.href);
  if (link === undefined) return undefined;
  const mediaType = mediaTypeOf(link.mediaType ?? object.mediaType);
  const kind = kindOf(type, mediaType, link);
  const description = cutTextOf(object.summary ?? object.name, activityLimits.altTextCharactersMax);
  return {
    type: kind,
    url: link.url,
    mediaType,
    description: description === '' ? undefined : description,
    blurhash: blurhashOf(object.blurhash),
    width: wholeNumberOf(link.width ?? object.width, activityLimits.mediaSideMax),
    height: wholeNumberOf(link.height ?? object.height, activityLimits.mediaSideMax),
    previewUrl: kind === 'unknown' ? undefined : pictureOf(object.icon),
    duration: durationOf(object.duration),
    focus: focusOf(object.focalPoint),
  };
}

/** Of several, the first. */
function pictureOf(value: JsonValue | undefined): string | undefined {
  const icon = firstOf(value);
  return isJsonObject(icon) ? mediaLinkOf(icon.url ?? icon.href)?.url : addressOf(icon);
}

function durationOf(value: JsonValue | undefined): number | undefined {
  const parts = typeof value === 'string' ? durationPattern.exec(value) : null;
  if (parts === null) return undefined;
  const [days, hours, minutes, seconds] = parts.slice(1).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
  ];
  return ((days * 24 + hours) * 60 + minutes) * 60 + seconds || undefined;
}

function mediaTypeOf(value: JsonValue | undefined): string | undefined {
  const type = typeof value === 'string' ? value.toLowerCase() : undefined;
  return type !== undefined && mediaTypePattern.test(type) ? type : undefined;
}

/** By the media type, which is more precise than the object's type: many servers use Document for everything. */
function kindOf(type: string, mediaType: string | undefined, { url }: MediaLink): Attachment['type'] {
  const kind = mediaType?.slice(0, mediaType.indexOf('/')) ?? type.toLowerCase();
  if (kind === 'image' || kind === 'video' || kind === 'audio') return kind;
  return (
    (mediaType === undefined || mediaType === 'application/octet-stream' ? kindByEnding(url) : undefined) ?? 'unknown'
  );
}

const endings: Readonly<Record<string, Attachment['type']>> = {
  ...{ jpg: 'image', jpeg: 'image', png: 'image', gif: 'image', webp: 'image', avif: 'image' },
  ...{ mp4: 'video', m4v: 'video', mov: 'video', webm: 'video' },
  ...{ mp3: 'audio', m4a: 'audio', ogg: 'audio', oga: 'audio', flac: 'audio', wav: 'audio' },
};

function kindByEnding(url: string): Attachment['type'] | undefined {
  const ending = /\.([a-z0-9]{3,4})(?:[?#]|$)/i.exec(url)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(endings, ending) ? endings[ending] : undefined;
}

/** A hash whose length contradicts its first digit breaks clients; one of more components is slow to draw. */
function blurhashOf(value: JsonValue | undefined): string | undefined {
  if (typeof value !== 'string' || !blurhashPattern.test(value)) return undefined;
  const size = blurhashDigits.indexOf(value[0]!);
  const [across, down] = [(size % 9) + 1, Math.floor(size / 9) + 1];
  if (across > blurhashComponentsMax || down > blurhashComponentsMax) return undefined;
  return value.length === 4 + 2 * across * down ? value : undefined;
}

function focusOf(value: JsonValue | undefined): RemoteAttachment['focus'] {
  if (!Array.isArray(value) || value.length !== 2) return undefined;
  const [x, y] = value as readonly JsonValue[];
  return isCoordinate(x) && isCoordinate(y) ? { x, y } : undefined;
}

function isCoordinate(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && value >= -1 && value <= 1;
}
