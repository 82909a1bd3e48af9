/** The work on signed documents in the CPU pool, for one thread: a few at a time, and those of relays last. */
import { taskModule } from '../../options/project-files.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Pool } from '../../runtime/pool.ts';
import type { SignedDocuments } from '../../services/signed-documents.ts';
import { documentLimits } from './limits.ts';
import type { examineSigned, hashesForSignature } from './signed-document.task.ts';

const task = taskModule('federation/document-signatures/signed-document.task');

export function createSignedDocuments(pool: Pick<Pool, 'run'>): SignedDocuments {
  const turns = new Turns();
  const { deadlineMilliseconds } = documentLimits;
  return {
    examine: (text, isSpare) =>
      turns.run(isSpare, () =>
        pool.run<Awaited<ReturnType<typeof examineSigned>>>(task, 'examineSigned', text, deadlineMilliseconds),
      ),
    hashes: (unsigned) =>
      turns.run(false, () =>
        pool.run<Awaited<ReturnType<typeof hashesForSignature>>>(
          task,
          'hashesForSignature',
          unsigned,
          deadlineMilliseconds,
        ),
      ),
  };
}

class Turns {
  private running = 0;
  private readonly waiting: (() => void)[] = [];
  private readonly spare: (() => void)[] = [];

  async run<Result>(isSpare: boolean, work: () => Promise<Result>): Promise<Result> {
    await this.enter(isSpare ? this.spare : this.waiting);
    try {
      return await work();
    } finally {
      const next = this.waiting.shift() ?? this.spare.shift();
      // Whoever waited longest takes the place over.
      if (next === undefined) this.running -= 1;
      else next();
    }
  }

  /** Throws Failure overloaded. */
  private async enter(queue: (() => void)[]): Promise<void> {
    const { atOnceMax, waitingMax } = documentLimits;
    if (this.running < atOnceMax) {
      this.running += 1;
      return;
    }
    const isFull = queue.length >= waitingMax || (queue === this.spare && this.waiting.length > 0);
    if (isFull) throw new Failure('overloaded');
    const { promise, resolve } = Promise.withResolvers<void>();
    queue.push(resolve);
    await promise;
  }
}
