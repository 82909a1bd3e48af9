/** What a scenario is, and what it answers: figures, each beside the physical limit measured in the same run. */
import type { Samples } from './measure/samples.ts';
import type { Seeds } from './seed/cache.ts';
import type { Size } from './sizes.ts';

export interface Target {
  readonly atLeast?: number;
  readonly atMost?: number;
}

export interface Figure {
  /** In words; with `unit` it is a row of the table. */
  readonly what: string;
  readonly measured: number;
  readonly unit: string;
  /** Of the samples behind `measured`, where they spread. */
  readonly lowest?: number;
  readonly highest?: number;
  readonly target?: Target;
  /** The limit it is compared with and what both were, in words. */
  readonly beside: string;
}

export interface BenchContext {
  readonly size: Size;
  readonly seeds: Seeds;
  readonly samples: Samples;
  /** With a folder, every process that is measured writes CPU profiles there; figures are worth less then. */
  readonly profileFolder: string | undefined;
}

export interface Scenario {
  readonly name: string;
  /** What is measured, and how. */
  readonly summary: string;
  /** Not part of a run of all. */
  readonly runsWhenNamed?: true;
  run(context: BenchContext): Promise<readonly Figure[]>;
}

export function meets({ measured, target }: Figure): boolean | undefined {
  if (target === undefined) return undefined;
  return (
    measured >= (target.atLeast ?? Number.NEGATIVE_INFINITY) && measured <= (target.atMost ?? Number.POSITIVE_INFINITY)
  );
}
