/** How the views of a node follow the logs. */
import { StreamUnanswered } from '../../runtime/cluster/stream.ts';
import { LogRefusal } from '../../runtime/storage/log.ts';
import { sentenceOfPartition } from './prepare.ts';

export interface Following {
  caughtUp(partition: number): void;
  /** May reject, which ends it. */
  pause(milliseconds: number): Promise<void>;
}

const silencePause = 500;

/**
 * Brings the views up to date, however long the servers are silent. Rejects with an Error whose message is a sentence where a
 * view cannot go on.
 */
export async function follow(
  logs: readonly { catchUp(): Promise<void> }[],
  { caughtUp, pause }: Following,
): Promise<void> {
  for (const [partition, log] of logs.entries()) {
    for (;;) {
      try {
        await log.catchUp();
        caughtUp(partition);
        break;
      } catch (error) {
        if (!isSilence(error)) throw sentenceOfPartition(partition, error);
      }
      await pause(silencePause);
    }
  }
}

function isSilence(error: unknown): boolean {
  return error instanceof LogRefusal && error.cause instanceof StreamUnanswered;
}
