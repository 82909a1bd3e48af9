/**
 * The faults of a run and their frequencies, drawn from the seed: some faults frequent, some rare, some absent, because
 * a frequent fault hides others.
 */
import type { SeededRandom } from './random.ts';

const dayMilliseconds = 86_400_000;

export interface Faults {
  /** Probabilities for a frame, an acknowledgement or a reply in transit. */
  lost: number;
  repeated: number;
  /** Delayed so long that later ones overtake it. */
  late: number;
  /** Probabilities for an effect: its thread dies, its runner fails, or it is answered twice. */
  effectLost: number;
  effectFails: number;
  effectRepeated: number;
  /** Probability that writing dead letters to their file fails. */
  archiveFails: number;
  /** Concurrent appends of the log. */
  appendsMax: number;
  /**
   * Probabilities for an append: that it is refused; of the refused ones, that there is no room; of the others, that it
   * reached the disk anyway, and for how long at most the log then does not answer.
   */
  appendFails: number;
  failedIsFull: number;
  failedIsApplied: number;
  unreachableMilliseconds: number;
  /** Mean time between the moments in which another owner opens a partition that is served, 0 for never. */
  takenEveryMilliseconds: number;
  /** Mean time between the beginnings of a while in which a disk cannot be read, 0 for never, and how long that takes at most. */
  unreadableEveryMilliseconds: number;
  unreadableMilliseconds: number;
  /** Mean time between the deaths of a process, and between its orderly restarts, in milliseconds; 0 for never. */
  crashEveryMilliseconds: number;
  restartEveryMilliseconds: number;
  /** How long a process is down. */
  downMilliseconds: readonly number[];
  /**
   * By how much a wall clock may be set ahead or back, while its process runs and when it starts; and the mean time
   * between these moments.
   */
  clockJumpMilliseconds: number;
  clockJumpEveryMilliseconds: number;
  /** The speed of the wall clocks; a slow clock that is set back repeats every hour. */
  clockSpeed: number;
  /** The longest time for a message in transit, and for an append. */
  travelMilliseconds: number;
  appendMilliseconds: number;
}

export function drawFaults(random: SeededRandom): Faults {
  const often = (probability: number) => random.pick([0, probability / 10, probability]);
  return {
    lost: often(0.2),
    repeated: often(0.2),
    late: often(0.1),
    effectLost: often(0.2),
    effectFails: often(0.2),
    effectRepeated: often(0.2),
    archiveFails: often(0.5),
    appendsMax: random.pick([1, 1, 2, 4]),
    appendFails: often(0.15),
    failedIsFull: random.pick([0, 0.5]),
    failedIsApplied: random.pick([0, 0.5, 1]),
    unreachableMilliseconds: random.pick([0, 0, 2_000]),
    takenEveryMilliseconds: random.pick([0, 0, 4_000]),
    unreadableEveryMilliseconds: random.pick([0, 0, 3_000]),
    unreadableMilliseconds: 1_000,
    crashEveryMilliseconds: random.pick([0, 4_000, 800]),
    restartEveryMilliseconds: random.pick([0, 0, 3_000]),
    downMilliseconds: random.pick([
      [0, 20, 1_500],
      [0, 20, 1_500],
      [0, 9_000],
    ]),
    clockJumpMilliseconds: random.pick([0, 50, 20_000, 3 * dayMilliseconds, 3 * dayMilliseconds]),
    clockJumpEveryMilliseconds: random.pick([300, 2_000]),
    clockSpeed: random.pick([1, 1, 1, 0.01]),
    travelMilliseconds: random.pick([0, 2, 30]),
    appendMilliseconds: random.pick([0, 3, 40]),
  };
}

/** Stops all faults: the remaining work must then end. */
export function calm(faults: Faults): void {
  faults.lost = 0;
  faults.repeated = 0;
  faults.late = 0;
  faults.effectLost = 0;
  faults.effectFails = 0;
  faults.effectRepeated = 0;
  faults.archiveFails = 0;
  faults.appendFails = 0;
  faults.takenEveryMilliseconds = 0;
  faults.unreadableEveryMilliseconds = 0;
  faults.crashEveryMilliseconds = 0;
  faults.restartEveryMilliseconds = 0;
  faults.clockJumpMilliseconds = 0;
  faults.clockSpeed = 1;
}
