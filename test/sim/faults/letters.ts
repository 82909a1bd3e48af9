/** Faults of dead letters: their bounds, their file, and the operator's orders about them. */
import { type PlantedFault, simulator } from './fault.ts';

const letters = 'src/runtime/partition/excess-letters.ts';
const letterBounds = 'test/runtime/dead-letters-bounds.test.ts';

export const faultsOfLetters: readonly PlantedFault[] = [
  {
    name: 'letters go to their file in writes of any size',
    kind: 'bounds',
    file: letters,
    original: 'if (letters.length > 0 && bytes > lettersPerArchiveBytesMax) break;',
    replacement: '',
    foundBy: 'test/runtime/dead-letters.test.ts',
  },
  {
    name: 'letters of any size stay in the database',
    kind: 'bounds',
    file: letters,
    original: 'bytes: bytes - deadLettersBytesMax }',
    replacement: 'bytes: 0 * (bytes - deadLettersBytesMax) }',
    foundBy: letterBounds,
  },
  {
    name: 'letters that the operator drops count for ever',
    kind: 'dead letters',
    file: 'src/runtime/partition/dead-letters.ts',
    original: 'this.bytesKept -= record.byteLength;',
    replacement: '',
    foundBy: letterBounds,
  },
  {
    name: 'an order about letters fills a batch without end',
    kind: 'bounds',
    file: 'src/runtime/partition/turns.ts',
    original: 'if (counts.handled > 0 && (sliceTime.isOver || !staging.hasRoom)) break;',
    replacement: '',
    foundBy: letterBounds,
  },
  {
    name: 'an order about letters waits without an end',
    kind: 'deadlines',
    file: 'src/runtime/partition/refusals.ts',
    original: "for (const order of this.letterOrders.takeExpired(now)) this.refuse(order, 'expired');",
    replacement: '',
    foundBy: letterBounds,
  },
  {
    name: 'letters above their bound are dropped although their file cannot be written',
    kind: 'dead letters',
    file: letters,
    original: 'if (error === undefined) proceed(() => this.drop(oldest));\n      else {',
    replacement: 'proceed(() => this.drop(oldest));\n      if (error !== undefined) {',
    foundBy: simulator,
  },
  {
    name: 'a durable message that throws is gone',
    kind: 'dead letters',
    file: 'src/runtime/partition/turn-runner.ts',
    original: 'this.options.letters.add(storedMessage(work.envelope, work.flow, undefined, work.cause),',
    replacement:
      'if (reason === name) this.options.letters.add(storedMessage(work.envelope, work.flow, undefined, work.cause),',
    foundBy: simulator,
  },
];
