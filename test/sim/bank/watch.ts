/** Checkers of the bank that run continuously. */
import { LogRefusal, StorageFailure } from '../../../src/runtime/storage/log.ts';
import type { Checker } from '../workload.ts';
import type { Receipt } from './account.messages.ts';
import { journal, ledgers } from './account.state.ts';
import { type History, positionOf } from './history.ts';

/** A reply describes only what is on disk, and nothing older than earlier replies. */
export function replies(history: History): Checker {
  return {
    name: 'replies',
    reply(call, result, disk) {
      const operation = history.ofCall(call.number);
      const position = positionOf(operation, result);
      if (position === undefined) return undefined;
      const { number, what, last, floor } = operation;
      if (what === 'read') {
        const onDisk = disk.get(ledgers, [last])?.position ?? 0;
        if (position > onDisk) return `operation ${number} read entry ${position} of ${last}, the disk has ${onDisk}`;
        return position < floor ? `operation ${number} read entry ${position} of ${last} after ${floor}` : undefined;
      }
      if (disk.get(journal, [last, position])?.operation !== number)
        return `operation ${number} (${what}) is acknowledged and not on disk`;
      return position <= floor ? `operation ${number} came after entry ${floor} and is entry ${position}` : undefined;
    },
  };
}

/** Views return exactly the recipients of an event. */
export function recipients(): Checker {
  return {
    name: 'recipients',
    published({ events }, _disk, told) {
      for (const { index, ids } of told) {
        const { account } = events[index]!.body as Receipt;
        if (ids.length !== 1 || ids[0] !== account) return `an event of ${account} is told to ${ids}`;
      }
      return undefined;
    },
  };
}

/** The report of a partition whose disk cannot be read. */
const unreadable =
  /^(partition \d+ could not read its storage|the storage could not be read: (messages wait \d+ ms|calls are refused))$/;
const refused = /^(partition \d+ could not commit|the log of partition \d+ does not answer)$/;
/** A wall clock that was set ahead by more than ids may run ahead of it, and then back. */
const idsAhead = /^the clock was once ahead, at [^ ]+: ids (are of the present again|stay of that time until then)$/;
const archiveProblem = 'excess dead letters could not be written to their archive file';

/**
 * The problems that a partition may report: refused appends, fencing, archives, failed reads, wall clocks that were
 * ahead, and failures that the load has caused.
 */
export function problems(): Checker {
  return {
    name: 'problems',
    reported({ message, error }) {
      if (error instanceof LogRefusal && refused.test(message)) return undefined;
      if (/^Partition \d+ was opened by another owner: /.test(message)) return undefined;
      if (error instanceof StorageFailure && unreadable.test(message)) return undefined;
      if (idsAhead.test(message)) return undefined;
      if (message === archiveProblem && (error as Error).message === 'simulated failure') return undefined;
      if (message === 'a turn of account.fall failed' && (error as Error).message === 'fallen') return undefined;
      return `${message}: ${error instanceof Error ? error.stack : error}`;
    },
  };
}
