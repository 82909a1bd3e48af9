/**
 * Encoded documents of one thread: a boost by somebody popular makes thousands of servers ask for the same few within
 * minutes. Bounded in bytes, the least used go first.
 *
 * INVARIANT a document is dropped when what it shows changes, and all of them when events may have been lost.
 */
import { hash } from 'node:crypto';
import { cacheables } from '../actors/cacheables.ts';
import type { Id } from '../runtime/ids.ts';
import { keptText } from '../runtime/kept-text.ts';
import type { EventHub } from '../services/event-hub.ts';
import type { JsonObject } from './fetcher/json.ts';
import { activityLimits } from './limits.ts';

export interface EncodedDocument {
  readonly bytes: Buffer;
  /** With its quotes. */
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

export class DocumentCache {
  private readonly bytesMax: number;
  /** In the order of last use, oldest first. */
  private readonly entries = new Map<string, EncodedDocument>();
  private bytes = 0;

  constructor(events: EventHub, bytesMax: number = activityLimits.documentCacheBytesMax) {
    this.bytesMax = bytesMax;
    events.onInvalidation(cacheables.profile, (accountId) => this.drop(actorKey(accountId)));
    events.onInvalidation(cacheables.statusDocument, (statusId) => this.drop(statusKey(statusId)));
    events.onLoss(() => {
      this.entries.clear();
      this.bytes = 0;
    });
  }

  get size(): number {
    return this.entries.size;
  }

  /**
   * The document of a key, made when it is not here. `make` reads and builds without waiting in between, so that no
   * event can come between what it read and what is kept.
   */
  get(key: string, make: () => JsonObject): EncodedDocument {
    const present = this.entries.get(key);
    if (present !== undefined) {
      this.entries.delete(key);
      this.entries.set(key, present);
      return present;
    }
    const document = encodeDocument(make());
    this.entries.set(key, document);
    this.bytes += document.bytes.length;
    for (const oldest of this.entries.keys()) {
      if (this.bytes <= this.bytesMax) break;
      this.drop(oldest);
    }
    return document;
  }

  private drop(key: string): void {
    const document = this.entries.get(key);
    if (document === undefined) return;
    this.entries.delete(key);
    this.bytes -= document.bytes.length;
  }
}
