/**
 * Encoded documents of one thread: after a popular account boosts a status, thousands of servers request the same few
 * documents within minutes. Bounded in bytes, least recently used first.
 *
 * INVARIANT a document is dropped when its content changes, and all of them when events may have been lost.
 */
import { hash } from 'node:crypto';
import { cacheables } from '../actors/cacheables.ts';
import type { JsonObject } from '../outbound/fetcher/json.ts';
import type { Id } from '../runtime/ids.ts';
import { keptText } from '../runtime/kept-text.ts';
import { SizedMap } from '../runtime/sized-map.ts';
import type { EventHub } from '../services/event-hub.ts';

export interface EncodedDocument {
  readonly bytes: Buffer;
  /** With its quotation marks. */
  readonly etag: string;
}

export function actorKey(accountId: Id): string {
  return `actor ${accountId}`;
}

export function statusKey(statusId: Id): string {
  return `status ${statusId}`;
}

const etagCharacters = 22;

export function encodeDocument(document: JsonObject): EncodedDocument {
  const bytes = keptText(JSON.stringify(document));
  return { bytes, etag: `"${hash('sha256', bytes, 'base64url').slice(0, etagCharacters)}"` };
}

/** The memory of a document besides its bytes: objects, key, tag. */
const entryBytes = 400;

export class DocumentCache {
  private readonly entries: SizedMap<string, EncodedDocument>;

  constructor(events: EventHub, bytesMax: number) {
    this.entries = new SizedMap({ bytesMax, bytesOf: ({ bytes }) => bytes.length + entryBytes });
    events.onInvalidation(cacheables.profile, (accountId) => this.entries.delete(actorKey(accountId)));
    events.onInvalidation(cacheables.statusDocument, (statusId) => this.entries.delete(statusKey(statusId)));
    events.onLoss(() => this.entries.clear());
  }

  get bytes(): number {
    return this.entries.bytes;
  }

  get size(): number {
    return this.entries.size;
  }

  /**
   * The document of a key, created if absent. `make` reads and builds without waiting in between, so that no event can
   * arrive between reading and caching.
   */
  get(key: string, make: () => JsonObject): EncodedDocument {
    const present = this.entries.use(key);
    if (present !== undefined) return present;
    const document = encodeDocument(make());
    this.entries.set(key, document);
    return document;
  }
}
