/** What must hold between the runtime's own entries of a partition. */
import { readEvents } from '../events/event-record.ts';
import { partitionLimits } from '../limits.ts';
import { isReadable } from '../partition/frame-record.ts';
import {
  countedEpoch,
  cursors,
  deadLetters,
  effects,
  eventRecords,
  events,
  identity,
  inbox,
  meta,
  notCounted,
  outbox,
  type PartitionMeta,
  timers,
} from './machine.ts';
import type { Reader } from './reader.ts';
import { countEntries, disagreement, type Rule, rule, trimmed } from './rules.ts';

/** The last number that a sequence has given: an entry above it would be overwritten. */
function isGiven(sequence: keyof PartitionMeta & `${string}Sequence`) {
  return (number: number, reader: Reader) =>
    number <= (reader.get(meta, [0])?.[sequence] ?? 0) ? undefined : 'is numbered above the last one';
}

const isGivenMessage = isGiven('inboxSequence');
const isGivenTimer = isGiven('timerSequence');
const isGivenEffect = isGiven('effectSequence');
const isGivenLetter = isGiven('deadLetterSequence');

export const machineRules: readonly Rule[] = [
  rule(outbox, (_key, record) => (isReadable(record) ? undefined : 'holds messages that cannot be decoded')),
  rule(inbox, ([sequence], _message, reader) => isGivenMessage(sequence, reader)),
  rule(timers, ([, sequence], _message, reader) => isGivenTimer(sequence, reader)),
  rule(effects, ([sequence], _effect, reader) => isGivenEffect(sequence, reader)),
  rule(deadLetters, ([sequence], _letter, reader) => isGivenLetter(sequence, reader)),
  rule(events, ([commit], _events, reader) =>
    commit <= (reader.get(meta, [0])?.commit ?? 0) ? undefined : 'is of a commit that has not come',
  ),
  // Each commit with events removes some of those that are too old, of which there are no more than fit.
  trimmed(eventRecords, {
    milliseconds: partitionLimits.eventAgeMilliseconds,
    overtakenMax: Math.ceil(partitionLimits.eventCommitsMax / partitionLimits.eventSweepPerCommit),
    writtenAt: (record) => readEvents(record).at,
  }),
  rule(cursors, ([source], _cursor, reader) => {
    const { number, partitions = Number.POSITIVE_INFINITY } = reader.get(identity, [0]) ?? {};
    return source < partitions && source !== number ? undefined : 'is of a partition that sends nothing';
  }),
  rule(meta, (_key, { eventsTrimmedCommit = notCounted }, reader) => {
    for (const { key } of reader.range(eventRecords, [], { limit: 1 }))
      if (key[0] <= eventsTrimmedCommit) return `says that the events of commit ${key[0]} have left`;
    return undefined;
  }),
  rule(meta, (_key, { deadLettersKept = notCounted }, reader) =>
    deadLettersKept === notCounted
      ? undefined
      : disagreement('dead letters', deadLettersKept, countEntries(reader, deadLetters, [])),
  ),
  // A start opens the log before it updates the identity, and may be interrupted in between.
  rule(identity, (_key, { epoch }, reader) => {
    const opened = countedEpoch(reader.get(meta, [0])?.epoch ?? 0);
    return opened === 0 || opened === epoch || opened === epoch + 1
      ? undefined
      : `is of epoch ${epoch}, and the log was opened in epoch ${opened}`;
  }),
  rule(meta, (_key, { eventBytes }, reader) => {
    let bytes = 0;
    for (const { value } of reader.range(eventRecords, [])) bytes += value.byteLength;
    return disagreement('bytes of events', eventBytes, bytes);
  }),
];
