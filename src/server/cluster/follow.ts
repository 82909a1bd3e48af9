/** How the views of a node follow the logs. */
import { StreamUnanswered } from '../../runtime/cluster/stream.ts';
import { LogRefusal } from '../../runtime/storage/log.ts';
import { sentenceOfPartition } from './prepare.ts';

export interface Following {
  caughtUp(partition: number): void;
  /** May reject, which ends it. */
  pause(milliseconds: number): Promise<void>;
}

const pauses = { silent: 500, again: 250 } as const;

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
      await pause(pauses.silent);
    }
  }
}

export interface FollowingOn {
  /** Throws what it met where it cannot go on. */
  assertGoesOn(): void;
  end(): void;
}

/** Follows again and again, beside whatever else is done: a log that answers late, as in an election, holds nothing else up. */
export function followOn(logs: Parameters<typeof follow>[0], { caughtUp, pause }: Following): FollowingOn {
  let failure: unknown;
  let isOver = false;
  const goOn = () => {
    if (isOver) throw new Error('it is not followed any more');
  };
  const following: Following = {
    caughtUp(partition) {
      goOn();
      caughtUp(partition);
    },
    async pause(milliseconds) {
      await pause(milliseconds);
      goOn();
    },
  };
  const repeat = async () => {
    for (;;) {
      await follow(logs, following);
      await following.pause(pauses.again);
    }
  };
  void repeat().catch((error: unknown) => {
    // What is met after the end is met again by whoever reads the logs next.
    if (!isOver) failure = error;
  });
  return {
    assertGoesOn() {
      if (failure !== undefined) throw failure;
    },
    end() {
      isOver = true;
    },
  };
}

function isSilence(error: unknown): boolean {
  return error instanceof LogRefusal && error.cause instanceof StreamUnanswered;
}
