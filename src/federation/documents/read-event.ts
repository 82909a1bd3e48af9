/** What converted objects say besides their text: when and where an event is, and the page that a link post is about. */
import { cleanText } from '../../actors/text/characters.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../outbound/fetcher/json.ts';
import { activityLimits } from '../limits.ts';
import { addressOf, cutTextOf, firstOf, objectsOf, timeOf, typeOf } from './values.ts';

const momentPattern = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?$/;

interface Moment {
  readonly day: string;
  readonly time: string;
  readonly zone: string;
}

/** One line of text in no language: as the server wrote it, whose people know its time. */
export function occasionOf(object: JsonObject): string | undefined {
  if (typeOf(object) !== 'Event') return undefined;
  const parts = [spanOf(object), placeOf(object.location)].filter((part) => part !== '');
  return parts.length === 0 ? undefined : parts.join(' · ');
}

function spanOf({ startTime, endTime }: JsonObject): string {
  const [start, end] = [momentOf(startTime), momentOf(endTime)];
  if (start === undefined) return '';
  const from = `${start.day} ${start.time}`;
  if (end === undefined || end.zone !== start.zone) return `${from} ${start.zone}`.trim();
  const until = end.day === start.day ? end.time : `${end.day} ${end.time}`;
  return `${from} – ${until} ${start.zone}`.trim();
}

function momentOf(value: JsonValue | undefined): Moment | undefined {
  const match = timeOf(value) === undefined ? null : momentPattern.exec(String(value));
  if (match === null) return undefined;
  const [, day = '', time = '', zone = ''] = match;
  return { day, time, zone: zone === 'Z' ? 'UTC' : zone === '' ? '' : `UTC${zone}` };
}

/** A Place with an address as text (Gancio) or in parts (Mobilizon), or its name alone. */
function placeOf(value: JsonValue | undefined): string {
  const place = firstOf(value);
  if (!isJsonObject(place)) return textIn(place);
  const { name, address } = place;
  const parts = isJsonObject(address)
    ? [name, address.streetAddress, address.addressLocality, address.addressCountry]
    : [name, address];
  const texts = parts.map(textIn).filter((text) => text !== '');
  return [...new Set(texts)].join(', ');
}

function textIn(value: JsonValue | undefined): string {
  return cleanText(cutTextOf(value, activityLimits.placeCharactersMax)).trim();
}

/** The page that a link post is about (Lemmy). */
export function linkedPageOf(object: JsonObject): string | undefined {
  for (const link of objectsOf(object.attachment, activityLimits.objectsMax)) {
    const address = typeOf(link) === 'Link' ? addressOf(link.href) : undefined;
    if (address !== undefined) return address;
  }
  return undefined;
}
