/** Reads the replies that a status names, and pages of them. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../outbound/fetcher/json.ts';
import { isSameHost, referenceOf, valuesOf } from './values.ts';

export interface NamedReplies {
  /** Ids of statuses, on any host. */
  readonly ids: readonly string[];
  /** The next page, or the collection itself where the status only refers to it; on the same host. */
  readonly next: string | undefined;
}

/**
 * `replies` is the address of a collection, or the collection, whose first page may be inside it; `page` is a collection
 * or one of its pages. `host`: an address on the host that may say what answers the status. At most `idsMax` are read.
 */
export function readReplies(collection: JsonValue | undefined, host: string, idsMax: number): NamedReplies {
  if (!isJsonObject(collection)) return { ids: [], next: onHost(collection, host) };
  const { first } = collection;
  const page = isJsonObject(first) ? first : {};
  const ids = [...idsIn(collection, idsMax), ...idsIn(page, idsMax)].slice(0, idsMax);
  const next = isJsonObject(first) ? first.next : (first ?? collection.next);
  const isEmptyReference = ids.length === 0 && next === undefined && collection.items === undefined;
  return { ids, next: onHost(isEmptyReference ? collection.id : next, host) };
}

function idsIn({ items, orderedItems }: JsonObject, idsMax: number): string[] {
  const members = valuesOf(orderedItems ?? items, idsMax);
  return members.flatMap((member) => referenceOf(member) ?? []);
}

function onHost(value: JsonValue | undefined, host: string): string | undefined {
  const address = referenceOf(value);
  return address !== undefined && isSameHost(address, host) ? address : undefined;
}
