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
  flags: { limit: { value: 'NUMBER', sentence: `How many: ${lettersListed}, where it is not said.` } },
  sentence: 'Shows the newest messages inside the server that failed and were put aside.',
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
  sentence: 'Sends a message that was put aside once more, or all of them: when what failed has been mended.',
  read: (letter) => ({ letter }),
  operation: retryDeadLetters,
  print: ({ taken, failed }) => [`Sent again: ${taken}`, ...(failed > 0 ? [`Failed again: ${failed}`] : [])],
});

const drop = command({
  words: 'dead-letters drop',
  argument: named,
  sentence: 'Forgets a message that was put aside, or all of them.',
  read: (letter) => ({ letter }),
  operation: dropDeadLetters,
  print: ({ taken }) => [`Dropped: ${taken}`],
});

const poisonList = threadCommand({
  words: 'poison list',
  sentence: 'Shows the messages inside the server that are not run because they killed or blocked its threads.',
  read: () => ({}),
});

const poisonLift = threadCommand({
  words: 'poison lift',
  argument: named,
  sentence: 'Lets such a message run again, or all of them: when what failed has been mended.',
  read(given) {
    // The beginning of a digest, long enough to identify one message.
    if (given === 'all' || /^[0-9a-f]{12,64}$/.test(given)) return { named: given };
    throw new UsageError(`${given} is no ID of a poisonous message: poison list shows them.`);
  },
});

export const letterCommands = [list, retry, drop, poisonList, poisonLift];
