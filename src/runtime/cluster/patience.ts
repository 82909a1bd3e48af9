/** How long one waits for servers that do not answer, and what it means for the log when they do not. */
import type { Clock } from '../ports.ts';
import { LogRefusal, StorageFailure } from '../storage/log.ts';
import { BrokenChain } from './chain.ts';
import { type LogStream, StreamUnanswered } from './stream.ts';
import { NewerRecord } from './stream-record.ts';

export interface Waiting {
  readonly clock: Pick<Clock, 'monotonic'>;
  pause(milliseconds: number): Promise<void>;
}

export interface Patience extends Waiting {
  /** For how long an append is sent again before it is refused as unknown. */
  readonly patienceMilliseconds?: number;
}

/** An election among the servers of a stream takes up to nine seconds. */
const defaultPatience = 12_000;
const pauses = { first: 20, max: 250 } as const;

/** Repeats work that is not answered until it is, or for as long as anybody waits. Resolves with the refusal. */
export async function workPatiently(
  work: () => Promise<void>,
  { clock, pause, patienceMilliseconds = defaultPatience }: Patience,
): Promise<LogRefusal | undefined> {
  const end = clock.monotonic() + patienceMilliseconds;
  for (let wait: number = pauses.first; ; wait = Math.min(wait * 2, pauses.max)) {
    try {
      await work();
      return undefined;
    } catch (error) {
      const refusal = refusalOf(error);
      if (!(error instanceof StreamUnanswered) || clock.monotonic() + wait > end) return refusal;
    }
    await pause(wait);
  }
}

/** A leader that was just elected is about to apply what was confirmed before. */
const applyMilliseconds = 2_000;

/** The bounds of a stream that has reached this record. Where it seems to end earlier it is asked again before that counts. */
export async function boundsFrom(
  stream: Pick<LogStream, 'bounds'>,
  sequence: number,
  { clock, pause }: Waiting,
): ReturnType<LogStream['bounds']> {
  const end = clock.monotonic() + applyMilliseconds;
  for (;;) {
    const bounds = await stream.bounds();
    if (bounds.last >= sequence || clock.monotonic() > end) return bounds;
    await pause(pauses.max);
  }
}

/** Throws what is no outcome of a log. */
export function refusalOf(error: unknown): LogRefusal {
  if (error instanceof LogRefusal) return error;
  const outcomes = [StreamUnanswered, BrokenChain, NewerRecord, StorageFailure];
  if (outcomes.some((outcome) => error instanceof outcome)) return new LogRefusal('unknown', error);
  throw error;
}
