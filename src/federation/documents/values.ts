/**
 * Reads properties of remote JSON: one value or many, an id or an embedded object. Unusable values are left out and
 * never an error. All functions are bounded.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../outbound/fetcher/json.ts';
import { activityLimits } from '../limits.ts';

type Value = JsonValue | undefined;

const nothing: readonly JsonValue[] = [];

/** The values of a property that may hold one or several; nulls are left out. */
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

/** The text of a property; undefined when it is not a string or implausibly long. */
export function textOf(value: Value, charactersMax: number): string | undefined {
  return typeof value === 'string' && value.length <= charactersMax ? value : undefined;
}

/** The beginning of a text, cut between characters; empty when there is none. */
export function cutTextOf(value: Value, charactersMax: number): string {
  if (typeof value !== 'string') return '';
  return (value.length > charactersMax ? value.slice(0, charactersMax) : value).toWellFormed();
}

/** The type of an object; of several the first term of ActivityStreams, because extensions use addresses as types. */
export function typeOf(object: JsonObject): string | undefined {
  const { type } = object;
  if (typeof type === 'string') return type;
  const types = valuesOf(type, activityLimits.objectsMax).filter((entry) => typeof entry === 'string');
  return types.find((entry) => !entry.includes(':')) ?? types[0];
}

/** An absolute http(s) address, as written. */
export function addressOf(value: Value): string | undefined {
  if (typeof value !== 'string' || value.length > activityLimits.uriCharactersMax) return undefined;
  return isAddress(value) ? value : undefined;
}

/** The id that a value refers to: a string, the id of an object, or the target of a link. */
export function referenceOf(value: Value): string | undefined {
  const first = firstOf(value);
  if (typeof first === 'string') return addressOf(first);
  return isJsonObject(first) ? addressOf(first.id ?? first.href) : undefined;
}

/** All ids that a property refers to, including the public collection in all its spellings. */
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
 * The host[:port] of an http(s) address in lower case, without a default port. Stricter than a URL parser: addresses
 * that two parsers could assign to different hosts (user names, backslashes, blanks) are rejected.
 */
export function hostOf(address: string): string | undefined {
  const found = originPattern.exec(address);
  if (found === null) return undefined;
  const host = found[2]!.toLowerCase();
  const ownPort = found[1]!.toLowerCase() === 'https' ? ':443' : ':80';
  return host.endsWith(ownPort) ? host.slice(0, -ownPort.length) : host;
}

/** Whether `hostOf` would find a host, without allocating the parts: most addresses are only tested. */
function isAddress(text: string): boolean {
  return originPattern.test(text);
}

const schemeCharacters = 'https://'.length;

/** Whether both are addresses of one host. */
export function isSameHost(one: string, other: string): boolean {
  const pathAt = one.indexOf('/', schemeCharacters);
  // They usually begin alike, which is decided without parsing.
  if (pathAt > 0 && other.startsWith(one.slice(0, pathAt + 1))) return isAddress(one);
  const host = hostOf(one);
  return host !== undefined && host === hostOf(other);
}

const timePattern = /^[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T|$)/;
const timeCharactersMax = 64;

/** Milliseconds since 1970 of an ISO 8601 time with a four-digit year; undefined for anything else. */
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

/** The result of `act` for the address of an object, which may be given directly or embedded; undefined without one. */
export function naming<Named>(value: JsonValue, act: (uri: string) => Named): Named | undefined {
  const uri = referenceOf(value);
  return uri === undefined ? undefined : act(uri);
}
