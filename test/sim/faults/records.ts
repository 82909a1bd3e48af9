/** Faults of what becomes of stored records that are damaged. */
import type { PlantedFault } from './fault.ts';

const machine = 'test/runtime/damaged-machine.test.ts';
const oddKeys = 'test/runtime/odd-keys.test.ts';

export const faultsOfRecords: readonly PlantedFault[] = [
  {
    name: 'a message whose caller cannot be read ends its thread',
    kind: 'undecodable records',
    file: 'src/runtime/partition/undecodable.ts',
    original: '(replyTo === undefined || isHandle(replyTo))',
    replacement: '(replyTo === undefined || replyTo !== undefined)',
    foundBy: machine,
  },
  {
    name: 'a timer of a partition that does not exist ends its thread at every start',
    kind: 'undecodable records',
    file: 'src/runtime/partition/turns.ts',
    original: 'return existingPartition(placement, Number(key));',
    replacement: 'return Number(key);',
    foundBy: machine,
  },
  {
    name: 'a frame that has become an empty list is taken without a word',
    kind: 'undecodable records',
    file: 'src/runtime/partition/frame-record.ts',
    original: '!Array.isArray(messages) || messages.length === 0',
    replacement: '!Array.isArray(messages)',
    foundBy: machine,
  },
  {
    name: 'a damaged record of the event log spoils the counters of its partition',
    kind: 'undecodable records',
    file: 'src/runtime/partition/retention.ts',
    original: 'if (Array.isArray(events))',
    replacement: 'if (events !== undefined)',
    foundBy: machine,
  },
  {
    name: 'a damaged record of the event log stays in it however old it is',
    kind: 'undecodable records',
    file: 'src/runtime/partition/retention.ts',
    original: 'Number.isFinite(at) ? at! : 0',
    replacement: 'at ?? 0',
    foundBy: machine,
  },
  {
    name: 'an event that cannot be read is replayed',
    kind: 'undecodable records',
    file: 'src/runtime/events/event-log.ts',
    original: '(isEvent(event) ? event : unreadable)',
    replacement: 'event as LoggedEvent',
    foundBy: machine,
  },
  {
    name: 'frames behind one that is missing stand still, and nobody hears of it',
    kind: 'undecodable records',
    file: 'src/runtime/partition/outgoing.ts',
    original: 'this.freezeForMissing(channel);',
    replacement: '',
    foundBy: 'test/runtime/damaged-frames.test.ts',
  },
  {
    name: 'a partition takes an entry under an odd key for another one',
    kind: 'undecodable records',
    file: 'src/runtime/storage/reader.ts',
    original: 'this.leftOut(key);\n        continue;',
    replacement: 'this.leftOut(key);',
    foundBy: oddKeys,
  },
  {
    name: 'an entry under an odd key is left out, and nobody hears of it',
    kind: 'undecodable records',
    file: 'src/runtime/partition/damaged-records.ts',
    original: 'if (!space.isKey(key)) return oddKeyError();',
    replacement: '',
    foundBy: oddKeys,
  },
  {
    name: 'a letter without the bytes of its record ends its thread',
    kind: 'undecodable records',
    file: 'src/runtime/letters.ts',
    original: 'if (letter.recordKey !== undefined && !(letter.message[3] instanceof Uint8Array))',
    replacement: 'if (letter.at < 0)',
    foundBy: machine,
  },
  {
    name: 'counters that are damaged under a running partition end its thread',
    kind: 'undecodable records',
    file: 'src/runtime/storage/log-state.ts',
    original: 'decoded(() => meta.value.decode(record).epoch)',
    replacement: 'decoded(() => meta.value.decode(record)).epoch',
    foundBy: machine,
  },
  {
    name: 'damaged statistics begin anew and their bytes are lost',
    kind: 'undecodable records',
    file: 'src/runtime/partition/turn.ts',
    original: 'const { key } = entry;\n    this.context.host.setAside(key);',
    replacement: 'const { key } = entry;',
    foundBy: 'test/runtime/damaged-records.test.ts',
  },
];
