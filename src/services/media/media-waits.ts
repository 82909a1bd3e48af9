/** Waits until uploads have been decoded. */
import { cacheables } from '../../actors/cacheables.ts';
import type { Id } from '../../runtime/ids.ts';
import type { EventHub } from '../event-hub.ts';

export class MediaWaits {
  private readonly waiting = new Map<Id, () => void>();

  constructor(events: Pick<EventHub, 'onInvalidation' | 'onLoss'>) {
    events.onInvalidation(cacheables.media, (mediaId) => this.waiting.get(mediaId)?.());
    events.onLoss(() => {
      for (const ended of [...this.waiting.values()]) ended();
    });
  }

  /** Settles when the upload has been processed, after this time at the latest, or when that cannot be known. One waits for each. */
  processed(mediaId: Id, milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const ended = () => {
        clearTimeout(timer);
        this.waiting.delete(mediaId);
        resolve();
      };
      const timer = setTimeout(ended, milliseconds);
      this.waiting.set(mediaId, ended);
    });
  }
}
