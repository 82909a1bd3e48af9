/** Commands about dead letters and poison messages. */
import {
  type DeadLetter,
  deadLettersListedMax,
  dropDeadLetters,
  listDeadLetters,
  retryDeadLetters,
} from '../../../operations/administration/dead-letters.ts';
import { command, threadCommand } from './command.ts';
import { asOneLine, UsageError, wholeNumber } from './reading.ts';

const lettersListed = 20;
const letterCharactersMax = 400;
const named = 'ID|all';

const list = command({
  words: 'dead-letters list',
  flags: { limit: { value: 'NUMBER', sentence: `Number of dead letters to list, ${lettersListed} by default.` } },
  sentence: 'Lists the newest dead letters: internal messages whose handler failed.',
  read: (_argument, flags) => ({ limit: wholeNumber(flags, 'limit', deadLettersListedMax) ?? lettersListed }),
  operation: listDeadLetters,
  print: ({ letters, rest }) => {
    if (letters.length === 0) return ['There are no dead letters.'];
    return [...letters.map(describe), ...(rest > 0 ? [`${rest} more are older.`] : [])];
  },
});

function describe({ partition, sequence, at, message: [, key], error }: DeadLetter): string {
  return `${partition}-${sequence}  ${new Date(at).toISOString()}  ${asOneLine(`to ${key}: ${error}`, letterCharactersMax)}`;
}

const retry = command({
  words: 'dead-letters retry',
  argument: named,
  sentence: 'Sends a dead letter again, or all of them. Fix the cause of the failure first.',
  read: (letter) => ({ letter }),
  operation: retryDeadLetters,
  print: ({ taken, failed }) => [`Sent again: ${taken}`, ...(failed > 0 ? [`Failed again: ${failed}`] : [])],
});

const drop = command({
  words: 'dead-letters drop',
  argument: named,
  sentence: 'Deletes a dead letter, or all of them.',
  read: (letter) => ({ letter }),
  operation: dropDeadLetters,
  print: ({ taken }) => [`Dropped: ${taken}`],
});

const poisonList = threadCommand({
  words: 'poison list',
  sentence: 'Lists the poison messages: internal messages that killed or blocked a thread and are not run again.',
  read: () => ({}),
});

const poisonLift = threadCommand({
  words: 'poison lift',
  argument: named,
  sentence: 'Allows a poison message to run again, or all of them. Fix the cause of the failure first.',
  read(given) {
    // The beginning of a digest, long enough to identify one message.
    if (given === 'all' || /^[0-9a-f]{12,64}$/.test(given)) return { named: given };
    throw new UsageError(`${given} is not the ID of a poison message. Run "murmuration poison list" to see them.`);
  },
});

export const letterCommands = [list, retry, drop, poisonList, poisonLift];
