/** Commands about dead letters and poison messages. */
import {
  deadLettersListedMax,
  deleteDamagedRecord,
  dropDeadLetters,
  type ListedLetter,
  listDeadLetters,
  retryDeadLetters,
  showDeadLetter,
} from '../../../operations/administration/dead-letters.ts';
import { holdsRecord } from '../../../runtime/letters.ts';
import { command, threadCommand } from './command.ts';
import { asOneLine, UsageError, wholeNumber } from './reading.ts';

const lettersListed = 20;
const letterCharactersMax = 400;
const named = 'ID|all';

const list = command({
  words: 'dead-letters list',
  flags: { limit: { value: 'NUMBER', sentence: `Number of dead letters to list, ${lettersListed} by default.` } },
  sentence: 'Lists the newest dead letters: internal messages whose handler failed, and damaged records.',
  read: (_argument, flags) => ({ limit: wholeNumber(flags, 'limit', deadLettersListedMax) ?? lettersListed }),
  operation: listDeadLetters,
  print: ({ letters, rest }) => {
    if (letters.length === 0) return ['There are no dead letters.'];
    return [...letters.map(describe), ...(rest > 0 ? [`${rest} more are older.`] : [])];
  },
});

function describe({ partition, sequence, at, error, ...addressed }: ListedLetter): string {
  return `${partition}-${sequence}  ${new Date(at).toISOString()}  ${asOneLine(`${placeOf(addressed)}: ${error}`, letterCharactersMax)}`;
}

function placeOf({ key, holdsRecord: isRecord }: Pick<ListedLetter, 'key' | 'holdsRecord'>): string {
  return isRecord ? String(key) : `to ${key}`;
}

const show = command({
  words: 'dead-letters show',
  argument: 'ID',
  sentence: 'Shows a dead letter with all that it holds.',
  read: (letter) => ({ letter }),
  operation: showDeadLetter,
  print: (letter) => {
    const { partition, sequence, at, error, message, effect } = letter;
    const [, key, number, body, flow] = message;
    const place = placeOf({ key, holdsRecord: holdsRecord(letter) });
    return [
      `Dead letter: ${partition}-${sequence}`,
      `At: ${new Date(at).toISOString()}`,
      `${holdsRecord(letter) ? 'Record' : 'Message'}: ${asOneLine(place, letterCharactersMax)}`,
      `Error: ${asOneLine(error, letterCharactersMax)}`,
      ...(holdsRecord(letter) ? [] : [`Number: ${number}, caused by: ${asOneLine(flow, letterCharactersMax)}`]),
      ...(holdsRecord(letter) ? [`Bytes: ${inHex(body as Uint8Array)}`] : [`Body: ${asJson(body)}`]),
      ...(effect === undefined ? [] : [`Effect ${effect.effect}: ${asJson(effect.request)}`]),
    ];
  },
});

function inHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

/** On one line, with bytes in hex. */
function asJson(value: unknown): string {
  const json = JSON.stringify(value, (_name, inner) => {
    if (typeof inner === 'bigint') return inner.toString();
    return inner instanceof Uint8Array ? inHex(inner) : inner;
  });
  return asOneLine(json ?? 'none', Number.POSITIVE_INFINITY);
}

const retry = command({
  words: 'dead-letters retry',
  argument: named,
  sentence: 'Sends a dead letter again, or all of them. Fix the cause of the failure first.',
  read: (letter) => ({ letter }),
  operation: retryDeadLetters,
  print: ({ taken, failed, records }) => [
    `Sent again: ${taken}`,
    ...(failed > 0 ? [`Failed again: ${failed}`] : []),
    ...(records > 0 ? [`Damaged records, which cannot be sent: ${records}`] : []),
  ],
});

const drop = command({
  words: 'dead-letters drop',
  argument: named,
  sentence: 'Deletes a dead letter, or all of them.',
  read: (letter) => ({ letter }),
  operation: dropDeadLetters,
  print: ({ taken }) => [`Dropped: ${taken}`],
});

const deleteRecord = command({
  words: 'dead-letters delete-record',
  argument: 'ID',
  sentence: 'Deletes a damaged record that a dead letter holds, where no backup can repair it.',
  read: (letter) => ({ letter }),
  operation: deleteDamagedRecord,
  print: () => ['Deleted. Run "murmuration check" when the server is stopped: it shows what pointed to the record.'],
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

export const letterCommands = [list, show, retry, drop, deleteRecord, poisonList, poisonLift];
