/**
 * Reading JSON of other servers: for every property one value or many, an id or a whole object. What cannot be used is
 * left out and never an error. All functions are bounded.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../fetcher/json.ts';
import { activityLimits } from '../limits.ts';

type Value = JsonValue | undefined;

const nothing: readonly JsonValue[] = [];

/** The values of a property that may hold one or several; nulls count as nothing. */
export function valuesOf(value: Value, countMax: number): readonly JsonValue[] {
  if (value === undefined || value === null) return nothing;
  if (!Array.isArray(value)) return [value];
  return value.length > countMax ? value.slice(0, countMax) : value;
}

export function firstOf(value: Value): Value {
  return Array.isArray(value) ? value[0] : value;
}

export function objectsOf(value: Value, countMax: number): JsonObject[] {
  const objects: JsonObject[] = [];
  for (const entry of valuesOf(value, countMax)) if (isJsonObject(entry)) objects.push(entry);
  return objects;
}

/** The text of a property; undefined when it is no string or longer than a sender with good intentions writes. */
export function textOf(value: Value, charactersMax: number): string | undefined {
  return typeof value === 'string' && value.length <= charactersMax ? value : undefined;
}

/** The first characters of a text, cut between characters; empty when there is none. */
export function cutTextOf(value: Value, charactersMax: number): string {
  if (typeof value !== 'string') return '';
  return (value.length > charactersMax ? value.slice(0, charactersMax) : value).toWellFormed();
}

/** The type of an object; of several the first term of ActivityStreams: extensions write theirs as addresses. */
export function typeOf(object: JsonObject): string | undefined {
  const { type } = object;
  if (typeof type === 'string') return type;
  const types = valuesOf(type, activityLimits.objectsMax).filter((entry) => typeof entry === 'string');
  return types.find((entry) => !entry.includes(':')) ?? types[0];
}

/** An absolute http(s) address, as it is written. */
export function addressOf(value: Value): string | undefined {
  if (typeof value !== 'string' || value.length > activityLimits.uriCharactersMax) return undefined;
  return hostOf(value) === undefined ? undefined : value;
}

/** What a value refers to: an id as it stands, or that of an object, or the target of a link. */
export function referenceOf(value: Value): string | undefined {
  const first = firstOf(value);
  if (typeof first === 'string') return addressOf(first);
  return isJsonObject(first) ? addressOf(first.id ?? first.href) : undefined;
}

/** All that a property refers to, the public collection in all its spellings included. */
export function namesOf(value: Value, countMax: number): string[] {
  const names: string[] = [];
  for (const entry of valuesOf(value, countMax)) {
    const name = typeof entry === 'string' ? entry : isJsonObject(entry) ? entry.id : undefined;
    if (typeof name === 'string' && name.length <= activityLimits.uriCharactersMax) names.push(name);
  }
  return names;
}

const originPattern =
  /^(https?):\/\/((?:[A-Za-z0-9_](?:[A-Za-z0-9._-]*[A-Za-z0-9_])?|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?)(?=[/?#]|$)/i;

/**
 * The host[:port] of an http(s) address in lower case, without the port of the scheme. Stricter than a URL parser: what
 * two readers could take for different hosts (user names, backslashes, blanks) is no address at all.
 */
export function hostOf(address: string): string | undefined {
  const found = originPattern.exec(address);
  if (found === null) return undefined;
  const host = found[2]!.toLowerCase();
  const ownPort = found[1]!.toLowerCase() === 'https' ? ':443' : ':80';
  return host.endsWith(ownPort) ? host.slice(0, -ownPort.length) : host;
}

const schemeCharacters = 'https://'.length;

/** Whether both are addresses of one host. */
export function isSameHost(one: string, other: string): boolean {
  const pathAt = one.indexOf('/', schemeCharacters);
  // Mostly they begin alike, which says it without taking them apart.
  if (pathAt > 0 && other.startsWith(one.slice(0, pathAt + 1))) return hostOf(one) !== undefined;
  const host = hostOf(one);
  return host !== undefined && host === hostOf(other);
}

const timePattern = /^[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T|$)/;
const timeCharactersMax = 64;

/** Milliseconds since 1970 of an ISO 8601 time with a year of four digits; undefined for anything else. */
export function timeOf(value: Value): number | undefined {
  if (typeof value !== 'string' || value.length > timeCharactersMax || !timePattern.test(value)) return undefined;
  const milliseconds = Date.parse(value);
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
}

export function isTrue(value: Value): boolean {
  return value === true || value === 'true';
}

export function wholeNumberOf(value: Value, maximum: number): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= maximum ? value : undefined;
}
