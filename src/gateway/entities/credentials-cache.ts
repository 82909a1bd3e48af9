/**
 * Cached answers with users' own accounts, by account: valid as long as the records they were made from are
 * unchanged, and what everybody may do is.
 */
import { cacheables } from '../../actors/cacheables.ts';
import type { Id } from '../../runtime/ids.ts';
import { SizedMap } from '../../runtime/sized-map.ts';
import type { Caches } from '../../services/caches.ts';
import type { EventHub } from '../../services/event-hub.ts';

interface MadeOf {
  readonly stored: Buffer;
  readonly body: Buffer;
}

/** About the memory of both buffers besides their bytes (measured). */
const buffersBytes = 250;

export class CredentialsCache {
  private readonly answers: SizedMap<Id, MadeOf>;

  constructor(caches: Caches, events: Pick<EventHub, 'onInvalidation'>) {
    this.answers = new SizedMap({
      bytesMax: caches.bytesMax('credentials'),
      bytesOf: ({ stored, body }) => buffersBytes + stored.length + body.length,
    });
    caches.measure('credentials', this.answers);
    events.onInvalidation(cacheables.roles, () => this.answers.clear());
  }

  /** Undefined where none was made from these records. */
  find(accountId: Id, stored: Buffer): Buffer | undefined {
    const known = this.answers.use(accountId);
    return known?.stored.equals(stored) === true ? known.body : undefined;
  }

  keep(accountId: Id, stored: Buffer, body: Uint8Array | string): void {
    this.answers.set(accountId, { stored: ownCopy(stored), body: ownCopy(Buffer.from(body)) });
  }
}

/** In memory of its own: small buffers share theirs with others made at the same time. */
function ownCopy(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}
