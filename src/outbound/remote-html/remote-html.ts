/**
 * The entry point for remote HTML: what the recogniser knows passes at once, the rest goes to the sanitiser in the
 * pool, in batches.
 *
 * 1. Every result was either accepted by the recogniser or written by the sanitiser.
 * 2. Waiting documents are bounded in number and characters; beyond that the answer is `overloaded`.
 */
import { Failure } from '../../runtime/errors.ts';
import type { CleanRemoteHtml } from '../../services/clean-remote-html.ts';
import { cutRaw } from './cut.ts';
import { htmlLimits } from './limits.ts';
import { isCanonicalHtml } from './recogniser.ts';
import type { RemoteHtmlDocument } from './sanitize.task.ts';

/** Runs `sanitizeRemoteHtmlBatch` on the pool; results are in the order of the batch. */
export type SanitizeBatch = (batch: readonly RemoteHtmlDocument[]) => Promise<string[]>;

interface Waiting {
  document: RemoteHtmlDocument;
  resolve: (html: string) => void;
  reject: (error: unknown) => void;
}

export function createRemoteHtmlCleaner(sanitizeBatch: SanitizeBatch): CleanRemoteHtml {
  const queue = new SanitizeQueue(sanitizeBatch);
  return (html, options) => {
    const profileField = options?.profileField === true;
    return isCanonicalHtml(html, profileField) ? html : queue.add({ html: cutRaw(html), profileField });
  };
}

/** Collects the documents of one microtask, and those that arrive while the pool is busy, into batches. */
class SanitizeQueue {
  private readonly sanitizeBatch: SanitizeBatch;
  private waiting: Waiting[] = [];
  private waitingCharacters = 0;
  private batchesInFlight = 0;
  private isScheduled = false;

  constructor(sanitizeBatch: SanitizeBatch) {
    this.sanitizeBatch = sanitizeBatch;
  }

  add(document: RemoteHtmlDocument): Promise<string> {
    const { waitingDocumentsMax, waitingCharactersMax } = htmlLimits;
    const characters = this.waitingCharacters + document.html.length;
    if (this.waiting.length >= waitingDocumentsMax || characters > waitingCharactersMax) {
      return Promise.reject(new Failure('overloaded'));
    }
    this.waitingCharacters = characters;
    return new Promise((resolve, reject) => {
      this.waiting.push({ document, resolve, reject });
      this.schedule();
    });
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    queueMicrotask(() => {
      this.isScheduled = false;
      this.send();
    });
  }

  private send(): void {
    while (this.waiting.length > 0 && this.batchesInFlight < htmlLimits.batchesInFlightMax) {
      const batch = this.takeBatch();
      this.batchesInFlight += 1;
      this.run(batch).finally(() => {
        this.batchesInFlight -= 1;
        this.send();
      });
    }
  }

  private takeBatch(): Waiting[] {
    const { batchDocumentsMax, batchCharactersMax } = htmlLimits;
    let count = 0;
    let characters = 0;
    while (count < this.waiting.length && count < batchDocumentsMax) {
      const length = this.waiting[count]!.document.html.length;
      if (count > 0 && characters + length > batchCharactersMax) break;
      characters += length;
      count += 1;
    }
    this.waitingCharacters -= characters;
    return this.waiting.splice(0, count);
  }

  private async run(batch: readonly Waiting[]): Promise<void> {
    try {
      const results = await this.sanitizeBatch(batch.map((waiting) => waiting.document));
      if (results.length !== batch.length) throw new Failure('internal', { cause: 'A batch came back incomplete' });
      for (const [index, waiting] of batch.entries()) waiting.resolve(results[index]!);
    } catch (error) {
      for (const waiting of batch) waiting.reject(error);
    }
  }
}
