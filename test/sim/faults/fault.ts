/** A planted fault: one exact replacement in one source file, and the test that must fail because of it. */

/** The kinds of faults of an actor runtime; each has at least one planted fault. */
export const faultKinds = [
  'gate',
  'missed events',
  'refusals',
  'channels',
  'went back in time',
  'deadlines',
  'hangs',
  'poison',
  'effects',
  'unreadable storage',
  'dead letters',
  'isolation',
  'views and caches',
  'replies',
  'undecodable records',
  'bounds',
  'fairness',
  'clocks',
  'storage',
  'replacement',
  'streams',
  'nodes',
] as const;
export type FaultKind = (typeof faultKinds)[number];

export interface PlantedFault {
  /** What goes wrong, as a sentence. */
  readonly name: string;
  readonly kind: FaultKind;
  readonly file: string;
  /** Occurs in the file exactly once. */
  readonly original: string;
  readonly replacement: string;
  /** The test file that must fail. */
  readonly foundBy: string;
}

/** The source with the fault in it. Throws where the fault does not apply to today's source. */
export function withFault({ name, file, original, replacement }: PlantedFault, source: string): string {
  const places = source.split(original).length - 1;
  if (places !== 1) {
    const found = `${file} has ${places} places for the planted fault "${name}": ${original}`;
    throw new Error(`${found}\nWhere the line has changed, change the fault in test/sim/faults with it.`);
  }
  if (original === replacement) throw new Error(`"${name}" changes nothing`);
  return source.replace(original, () => replacement);
}

/**
 * Read in place of `clock.monotonic()`: in the simulator it shows the same until somebody sets the wall clock, so that only
 * what follows from that is found.
 */
export const wallClock = 'clock.now() - 1_699_995_000_000';

/** The simulator with the bank, and with the bank under a deluge. */
export const simulator = 'test/sim/sim.test.ts';
export const deluge = 'test/sim/deluge.test.ts';
/** And where one partition goes back in time. */
export const restored = 'test/sim/restored.test.ts';
