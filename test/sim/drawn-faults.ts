/**
 * What goes wrong, and how often. Every run draws its own mixture: some faults often, some now and then, some not at
 * all, because a fault that always comes hides what only shows without it.
 */
import type { SeededRandom } from './random.ts';

export interface Faults {
  /** Of a frame, an acknowledgement or a reply on its way. */
  lost: number;
  repeated: number;
  /** Takes very long, so that later ones overtake it. */
  late: number;
  /** Of an effect: its thread dies with it, its runner fails, or it is answered twice. */
  effectLost: number;
  effectFails: number;
  effectRepeated: number;
  /** Of writing dead letters to their file. */
  archiveFails: number;
  /** Appends that the log takes at a time. */
  appendsMax: number;
  /**
   * Of an append: it is refused; of those, how many because there is no room; of the others, how many reached the disk all
   * the same, and for how long at most the log then does not say so.
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
  /** How long a process may be down. */
  downMilliseconds: readonly number[];
  /** A restart finds the clock moved by up to this much, either way. */
  clockJumpMilliseconds: number;
  /** How fast the clocks run; a slow clock that is moved back shows every hour twice. */
  clockSpeed: number;
  /** Milliseconds that a message takes at most, and an append. */
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
    clockJumpMilliseconds: random.pick([0, 50, 20_000]),
    clockSpeed: random.pick([1, 1, 1, 0.01]),
    travelMilliseconds: random.pick([0, 2, 30]),
    appendMilliseconds: random.pick([0, 3, 40]),
  };
}

/** Nothing goes wrong any more; whatever is left must come to an end. */
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
