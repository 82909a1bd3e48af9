/** Reads the media of a remote status. The files stay on their server. */
import type { Attachment } from '../../actors/account/media/media.records.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../outbound/fetcher/json.ts';
import { activityLimits } from '../limits.ts';
import { addressOf, cutTextOf, firstOf, objectsOf, typeOf, valuesOf, wholeNumberOf } from './values.ts';
import { attachmentTypes } from './vocabulary.ts';

export interface RemoteAttachment {
  readonly type: Attachment['type'];
  readonly url: string;
  readonly mediaType: string | undefined;
  readonly description: string | undefined;
  readonly blurhash: string | undefined;
  readonly width: number | undefined;
  readonly height: number | undefined;
  /** Both from -1 to 1. */
  readonly focus: { readonly x: number; readonly y: number } | undefined;
}

const mediaTypePattern = /^[a-z]+\/[a-z0-9.+-]{1,100}$/;
const blurhashPattern = /^[0-9A-Za-z#$%*+,\-.:;=?@[\]^_{|}~]{6,166}$/;
const blurhashDigits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~';
const linkTypes: ReadonlySet<string> = new Set(['Link']);

export function readAttachments(value: JsonValue | undefined): RemoteAttachment[] {
  const attachments: RemoteAttachment[] = [];
  for (const object of objectsOf(value, activityLimits.objectsMax)) {
    const attachment = readAttachment(object);
    if (attachment !== undefined && attachments.length < activityLimits.attachmentsMax) attachments.push(attachment);
  }
  return attachments;
}

/** The preview image of a video or an article. */
export function readThumbnail(object: JsonObject): RemoteAttachment[] {
  for (const value of [object.image, object.icon, object.preview]) {
    const image = firstOf(value);
    const attachment = isJsonObject(image) ? readAttachment({ ...image, type: 'Image' }) : undefined;
    if (attachment !== undefined) return [attachment];
  }
  return [];
}

function readAttachment(object: JsonObject): RemoteAttachment | undefined {
  const type = typeOf(object);
  if (type === undefined || !attachmentTypes.has(type)) return undefined;
  const link = linkOf(object);
  if (link === undefined) return undefined;
  const mediaType = mediaTypeOf(link.mediaType ?? object.mediaType);
  const description = cutTextOf(object.summary ?? object.name, activityLimits.altTextCharactersMax);
  return {
    type: kindOf(type, mediaType),
    url: link.url,
    mediaType,
    description: description === '' ? undefined : description,
    blurhash: blurhashOf(object.blurhash),
    width: wholeNumberOf(link.width ?? object.width, activityLimits.mediaSideMax),
    height: wholeNumberOf(link.height ?? object.height, activityLimits.mediaSideMax),
    focus: focusOf(object.focalPoint),
  };
}

interface MediaLink {
  readonly url: string;
  readonly mediaType?: JsonValue | undefined;
  readonly width?: JsonValue | undefined;
  readonly height?: JsonValue | undefined;
}

function linkOf(object: JsonObject): MediaLink | undefined {
  for (const value of valuesOf(object.url ?? object.href, activityLimits.objectsMax)) {
    const url = addressOf(isJsonObject(value) ? value.href : value);
    if (url === undefined) continue;
    if (!isJsonObject(value)) return { url };
    if (linkTypes.has(typeOf(value) ?? 'Link'))
      return { url, mediaType: value.mediaType, width: value.width, height: value.height };
  }
  return undefined;
}

function mediaTypeOf(value: JsonValue | undefined): string | undefined {
  const type = typeof value === 'string' ? value.toLowerCase() : undefined;
  return type !== undefined && mediaTypePattern.test(type) ? type : undefined;
}

/** By the media type, which is more precise than the object's type: many servers use Document for everything. */
function kindOf(type: string, mediaType: string | undefined): Attachment['type'] {
  const kind = mediaType?.slice(0, mediaType.indexOf('/')) ?? type.toLowerCase();
  return kind === 'image' || kind === 'video' || kind === 'audio' ? kind : 'unknown';
}

/** A hash whose length contradicts its first digit breaks clients, so it is dropped. */
function blurhashOf(value: JsonValue | undefined): string | undefined {
  if (typeof value !== 'string' || !blurhashPattern.test(value)) return undefined;
  const size = blurhashDigits.indexOf(value[0]!);
  const components = ((size % 9) + 1) * (Math.floor(size / 9) + 1);
  return value.length === 4 + 2 * components ? value : undefined;
}

function focusOf(value: JsonValue | undefined): RemoteAttachment['focus'] {
  if (!Array.isArray(value) || value.length !== 2) return undefined;
  const [x, y] = value as readonly JsonValue[];
  return isCoordinate(x) && isCoordinate(y) ? { x, y } : undefined;
}

function isCoordinate(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && value >= -1 && value <= 1;
}
