/** Collections and their pages (ActivityStreams core, section 7). Without `@context`. */
import type { JsonObject, JsonValue } from '../../outbound/fetcher/json.ts';

/** `first` is omitted where the members are hidden: other servers interpret its absence so. */
export function orderedCollection(id: string, totalItems: number, first: string | undefined): JsonObject {
  return { id, type: 'OrderedCollection', totalItems, ...(first === undefined ? {} : { first }) };
}

/** A collection that contains all its members. */
export function wholeCollection(id: string, orderedItems: readonly JsonValue[]): JsonObject {
  return { id, type: 'OrderedCollection', totalItems: orderedItems.length, orderedItems };
}

/** The same without an order. */
export function wholeUnorderedCollection(id: string, items: readonly JsonValue[]): JsonObject {
  return { id, type: 'Collection', totalItems: items.length, items };
}

/** A collection of which only the size is known to others. */
export function totalCollection(id: string, totalItems: number): JsonObject {
  return { id, type: 'Collection', totalItems };
}

export interface CollectionPage {
  readonly id: string;
  readonly partOf: string;
  readonly items: readonly JsonValue[];
  readonly next: string | undefined;
  readonly previous?: string | undefined;
}

export function orderedPage({ id, partOf, items, next, previous }: CollectionPage): JsonObject {
  return {
    id,
    type: 'OrderedCollectionPage',
    partOf,
    ...(next === undefined ? {} : { next }),
    ...(previous === undefined ? {} : { prev: previous }),
    orderedItems: items,
  };
}

export function unorderedPage({ id, partOf, items, next }: CollectionPage): JsonObject {
  return { id, type: 'CollectionPage', partOf, ...(next === undefined ? {} : { next }), items };
}
