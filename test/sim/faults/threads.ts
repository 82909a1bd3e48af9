/** Faults of threads and their connections: watching, replacing, links, listeners, storage on a real disk. */
import type { PlantedFault } from './fault.ts';

const watch = 'src/runtime/threads/watch.ts';
const listeners = 'src/runtime/threads/listeners.ts';
const poison = 'src/runtime/threads/poison.ts';
const client = 'src/runtime/threads/client.ts';
const owner = 'src/runtime/threads/owner.ts';
const ownerTest = 'test/runtime/threads/owner.test.ts';
const listenersTest = 'test/runtime/threads/listeners.test.ts';
const replacement = 'test/runtime/threads/replacement.test.ts';
const overload = 'test/runtime/threads/overload.test.ts';

export const faultsOfThreads: readonly PlantedFault[] = [
  {
    name: 'a thread that hangs outside of turns is not noticed',
    kind: 'hangs',
    file: watch,
    original: 'if (silentMilliseconds < limits.silenceMilliseconds) return;',
    replacement: 'if (silentMilliseconds >= 0) return;',
    foundBy: 'test/runtime/threads/hanging.test.ts',
  },
  {
    name: 'threads are replaced because the process stood still',
    kind: 'hangs',
    file: watch,
    original: 'const isLate = elapsed > limits.silenceReportedMilliseconds + limits.watchMilliseconds;',
    replacement: 'const isLate = elapsed < 0;',
    foundBy: 'test/runtime/threads/hanging.test.ts',
  },
  {
    name: 'events to a thread that hangs pile up in its port',
    kind: 'hangs',
    file: listeners,
    original: 'if (!listener.isBehind && link.backlog.isFull) {',
    replacement: 'if (!listener.isBehind && link.backlog.messagesUnread < 0) {',
    foundBy: listenersTest,
  },
  {
    name: 'a listener that missed events is not told of the gap',
    kind: 'missed events',
    file: listeners,
    original: "listener.isBehind = false;\n        link.send({ type: 'gap' });",
    replacement: 'listener.isBehind = false;',
    foundBy: listenersTest,
  },
  {
    name: 'refusing a poisonous message refuses others like it',
    kind: 'poison',
    file: poison,
    original: 'return pack([kind, message, key, body]);',
    replacement: 'return pack([kind, message, key, typeof body]);',
    foundBy: replacement,
  },
  {
    name: 'a message that was lifted is not run before a restart',
    kind: 'poison',
    file: poison,
    original: 'if (lifted.length > 0) this.changed();',
    replacement: '',
    foundBy: replacement,
  },
  {
    name: 'a message that costs a thread its life twice runs again',
    kind: 'poison',
    file: poison,
    original: "if (count >= threadLimits.deathsPerMessageMax) this.refuse(digest, head, 'died');",
    replacement: '',
    foundBy: replacement,
  },
  {
    name: 'a caller waits for a thread that is gone',
    kind: 'replacement',
    file: client,
    original:
      "waiting.queue.ended(false);\n      this.failed(waiting, new Failure('outcomeUnknown'));\n    }\n  }\n\n  close",
    replacement: 'waiting.queue.ended(false);\n    }\n  }\n\n  close',
    foundBy: replacement,
  },
  {
    name: 'frames that a dead owner never read wait for their resend time',
    kind: 'replacement',
    file: owner,
    original: 'if (role === ownerRole) partition.resend();',
    replacement: '',
    foundBy: ownerTest,
  },
  {
    name: 'effects of a network thread that died are not run again',
    kind: 'replacement',
    file: owner,
    original: 'if (role === effectsRole) partition.repeatEffects((asker) => this.networkOf(asker) === index);',
    replacement: '',
    foundBy: ownerTest,
  },
  {
    name: 'effects of healthy network threads run again when another dies',
    kind: 'effects',
    file: owner,
    original: 'this.networkOf(asker) === index',
    replacement: 'this.networkOf(asker) >= 0 && index >= 0',
    foundBy: ownerTest,
  },
  {
    name: 'calls that could not be answered in time are not refused at the door',
    kind: 'deadlines',
    file: client,
    original: 'if ((queue.isTooLong || link.backlog.isFull) && flow !== operatorFlow)',
    replacement: 'if (link.backlog.isFull && flow !== operatorFlow)',
    foundBy: overload,
  },
  {
    name: 'requests pile up at a thread that does not answer',
    kind: 'bounds',
    file: client,
    original: 'requests.isTooLong ? this.refuse() : ',
    replacement: '',
    foundBy: 'test/runtime/threads/requests.test.ts',
  },
  {
    name: 'a request to a view runs although its caller has given up',
    kind: 'deadlines',
    file: owner,
    original: 'if (partition === undefined || hasExpired(message)) {',
    replacement: 'if (partition === undefined) {',
    foundBy: ownerTest,
  },
  {
    name: 'a main thread that hangs is reported and left alone',
    kind: 'hangs',
    file: 'src/runtime/threads/main-watch.ts',
    original: 'if (!isOver || !this.moves(reported, ending)) return;',
    replacement: 'return;',
    foundBy: 'test/runtime/threads/main-watch.test.ts',
  },
  {
    name: 'a main thread that sleeps counts as one that runs',
    kind: 'hangs',
    file: 'src/runtime/threads/main-watch.ts',
    original: 'this.ranMilliseconds += used!.ranMilliseconds;',
    replacement: 'this.ranMilliseconds += used!.usableMilliseconds;',
    foundBy: 'test/runtime/threads/main-watch.test.ts',
  },
  {
    name: 'a message is still marked when it has ended',
    kind: 'poison',
    file: 'src/runtime/threads/turn-watch.ts',
    original: 'this.mark?.write(this.record.subarray(0, fieldBytes));',
    replacement: '',
    foundBy: 'test/server/turn-marks.test.ts',
  },
  {
    name: 'what is read after an answer may be older than it',
    kind: 'missed events',
    file: client,
    original: 'this.noteCommit(position);',
    replacement: 'void position;',
    foundBy: 'test/runtime/snapshots.test.ts',
  },
  {
    name: 'a batch is seen before it is on disk',
    kind: 'storage',
    file: 'src/runtime/storage/lmdb-log.ts',
    original: 'overlappingSync: false,',
    replacement: 'overlappingSync: true,',
    foundBy: 'test/runtime/log-durability.test.ts',
  },
  {
    name: 'a batch may reach the disk in part',
    kind: 'storage',
    file: 'src/runtime/storage/lmdb-log.ts',
    original: 'if (value === undefined) this.database.remove(keys[index]!);',
    replacement:
      'if (value === undefined && index === 0) this.database.remove(keys[index]!);\n        else if (value === undefined) continue;',
    foundBy: 'test/runtime/log.conformance.test.ts',
  },
  {
    name: 'a reader takes a ring that is being changed',
    kind: 'views and caches',
    file: 'src/actors/partition/feed-rings.queries.ts',
    original: 'if ((version & 1) !== 0) continue;',
    replacement: '',
    foundBy: 'test/actors/partition/feed-rings.test.ts',
  },
];
