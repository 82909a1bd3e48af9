/** Faults of time: deadlines and pauses where somebody sets the wall clock, timers, and the ids of a wrong clock. */
import { type PlantedFault, simulator, wallClock } from './fault.ts';

const rounds = 'src/runtime/partition/rounds.ts';
const partition = 'src/runtime/partition/partition.ts';
const owner = 'src/runtime/threads/owner.ts';
const asked = 'src/runtime/partition/asked-effects.ts';
const ids = 'src/runtime/partition/id-source.ts';
const timers = 'src/runtime/partition/due-timers.ts';
const ownerTest = 'test/runtime/threads/owner.test.ts';
const unreadable = 'test/runtime/partition-unreadable.test.ts';
const timersTest = 'test/runtime/partition-timers.test.ts';

export const faultsOfClocks: readonly PlantedFault[] = [
  {
    name: 'an owner compares deadlines with the wall clock when it comes to a call',
    kind: 'clocks',
    file: rounds,
    original: 'work.deadline <= now)',
    replacement: `work.deadline <= this.options.${wallClock})`,
    foundBy: simulator,
  },
  {
    name: 'an owner refuses waiting calls by the wall clock',
    kind: 'clocks',
    file: 'src/runtime/partition/refusals.ts',
    original: 'const now = this.ports.clock.monotonic();',
    replacement: `const now = this.ports.${wallClock};`,
    foundBy: simulator,
  },
  {
    name: 'effects whose runner failed wait by the wall clock',
    kind: 'clocks',
    file: asked,
    original: 'entry.retryAt = this.ports.clock.monotonic() + pause;',
    replacement: `entry.retryAt = this.ports.${wallClock} + pause;`,
    foundBy: simulator,
  },
  {
    name: 'a partition whose disk fails pauses by the wall clock',
    kind: 'clocks',
    file: 'src/runtime/partition/alarm.ts',
    original: 'this.failedAt = this.ports.clock.monotonic();',
    replacement: `this.failedAt = this.ports.${wallClock};`,
    foundBy: simulator,
  },
  {
    name: 'messages that could not read wait by the wall clock',
    kind: 'clocks',
    file: 'src/runtime/partition/postponed.ts',
    original: 'const now = this.ports.clock.monotonic();\n    if (now > this.lastResumedAt',
    replacement: 'const now = this.ports.clock.now();\n    if (now > this.lastResumedAt',
    foundBy: unreadable,
  },
  {
    name: 'timers that are planned while the wall clock is set back are never found',
    kind: 'clocks',
    file: timers,
    original: 'if (at < this.from[0]) this.from = [at, 0];',
    replacement: '',
    foundBy: simulator,
  },
  {
    name: 'a clock that was wrong for a moment gives ids of that time for ever',
    kind: 'clocks',
    file: ids,
    original: 'this.isInGap = this.isGapAt(now);',
    replacement: 'this.isInGap = false;',
    foundBy: 'test/runtime/id-source.test.ts',
  },
  {
    name: 'ids of turns that were lost are given again',
    kind: 'clocks',
    file: ids,
    original: 'this.highest = Math.max(idMillisecondsMax, this.highest);',
    replacement: 'this.highest = idMillisecondsMax;',
    foundBy: 'test/runtime/partition-failures.test.ts',
  },
  {
    name: 'timers ring early',
    kind: 'clocks',
    file: rounds,
    original: 'dueTimers.take(clock.now())',
    replacement: 'dueTimers.take(clock.now() + 100)',
    foundBy: simulator,
  },
  {
    name: 'timers that are due by a wall clock that was set ahead wait for their turn',
    kind: 'clocks',
    file: partition,
    original: 'clockSet(): void {\n    this.requestPump();',
    replacement: 'clockSet(): void {',
    foundBy: timersTest,
  },
  {
    name: 'a timer that is due before those already read waits for them',
    kind: 'clocks',
    file: timers,
    original: 'if (this.read.length > 0 && at < this.lastReadAt) this.read.clear();',
    replacement: '',
    foundBy: timersTest,
  },
  {
    name: 'a timer that has rung rings again',
    kind: 'clocks',
    file: rounds,
    original: 'staging.filling.delete(timers, timer.key);',
    replacement: 'if (staging.underWay.length === 0) staging.filling.delete(timers, timer.key);',
    foundBy: simulator,
  },
  {
    name: 'a frame is sent again when the wall clock says so',
    kind: 'clocks',
    file: 'src/runtime/partition/gate.ts',
    original: 'outgoing.released(batch, this.ports.clock.monotonic())',
    replacement: `outgoing.released(batch, this.ports.${wallClock})`,
    foundBy: simulator,
  },
  {
    name: 'an owner does not tell its partitions that the wall clock was set',
    kind: 'clocks',
    file: owner,
    original: 'partition.clockSet();',
    replacement: 'void partition;',
    foundBy: ownerTest,
  },
  {
    name: 'deadlines and pauses go by a clock that somebody sets',
    kind: 'clocks',
    file: 'src/runtime/threads/clock.ts',
    original: 'return seconds * 1_000 + nanoseconds / 1_000_000;',
    replacement: 'return Date.now() + 0 * (seconds + nanoseconds);',
    foundBy: 'test/runtime/deadlines.test.ts',
  },
];
