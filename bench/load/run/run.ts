/** Runs a scenario: prepares all parts, warms up, measures for so long, waits for what is under way, and reports. */

import { baseOfRun } from '../marker.ts';
import type { Part, PartContext } from '../part.ts';
import { createPart } from '../parts.ts';
import { type Report, reportOf } from '../report/report.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { Target } from '../target.ts';
import { Recorder } from './recorder.ts';
import { openUsageMeter, type UsageMeter } from './usage.ts';

const secondMilliseconds = 1_000;
/** Timers may be early by as much. */
const earlyMilliseconds = 2;
/** Until all parts have begun. */
const leadMilliseconds = 20;

export interface RunProgress {
  /** What is being prepared, or done at the end. */
  tell(sentence: string): void;
  /** Every second; negative while it warms up. */
  second(moment: {
    readonly second: number;
    readonly done: number;
    readonly failed: number;
    readonly busyShare: number;
  }): void;
}

export interface RunInput {
  readonly scenario: Scenario;
  readonly target: Target;
  /** Of the server, for its CPU and memory. */
  readonly processId: number | undefined;
  readonly progress: RunProgress;
  /** Ends the run early: it reports what it has so far. */
  readonly signal: AbortSignal;
}

/** Rejects with a LoadFailure when it cannot begin. */
export async function runScenario(input: RunInput): Promise<Report> {
  const { scenario, target, progress, signal } = input;
  const recorder = new Recorder();
  const meter = await openUsageMeter(input.processId);
  let number = baseOfRun();
  const context: PartContext = {
    target,
    recorder,
    signal,
    tell: (sentence) => progress.tell(sentence),
    nextNumber: () => number++,
  };
  const parts = scenario.parts.map((part) => createPart(part, scenario.sessions, context));
  try {
    for (const part of parts) await part.open();
    const seconds = await measure({ ...input, parts, recorder, meter });
    const interrupted = signal.aborted;
    return reportOf({ scenario, server: target.origin, seconds, interrupted, recorder, meter, parts });
  } finally {
    for (const part of parts) await part.close();
  }
}

interface Measured extends RunInput {
  readonly parts: readonly Part[];
  readonly recorder: Recorder;
  readonly meter: UsageMeter;
}

/** How many seconds were measured. */
async function measure({ scenario, parts, recorder, meter, progress, signal }: Measured): Promise<number> {
  const startAt = performance.now() + leadMilliseconds;
  const measuredFrom = startAt + scenario.warmUpSeconds * secondMilliseconds;
  const endAt = measuredFrom + scenario.seconds * secondMilliseconds;
  recorder.measure(measuredFrom, endAt);
  let endedAt = endAt;
  signal.addEventListener('abort', () => {
    endedAt = Math.min(endAt, performance.now());
  });
  const clock = startSeconds({ measuredFrom, endAt, recorder, meter, progress });
  try {
    await Promise.all(parts.map((part) => part.run({ startAt, measuredFrom, endAt, signal })));
  } finally {
    clock.stop();
  }
  return Math.max(0, endedAt - measuredFrom) / secondMilliseconds;
}

/** Ends each second of the measured time, and those in which answers are still awaited. */
function startSeconds(
  input: Pick<Measured, 'recorder' | 'meter' | 'progress'> & { measuredFrom: number; endAt: number },
) {
  const { measuredFrom, endAt, recorder, meter, progress } = input;
  let hasBegun = false;
  let timer: NodeJS.Timeout;
  const next = () => {
    const now = performance.now();
    if (!hasBegun && now >= measuredFrom - earlyMilliseconds) {
      meter.begin();
      hasBegun = true;
    } else if (hasBegun) endSecond(now);
    const second = Math.round((now - measuredFrom) / secondMilliseconds);
    const { done, failed } = recorder.totals();
    progress.second({ second, done, failed, busyShare: meter.points.at(-1)?.tool ?? 0 });
    if (now >= endAt) progress.tell('waiting for what is under way');
    const dueAt = measuredFrom + (second + 1) * secondMilliseconds;
    timer = setTimeout(next, Math.max(1, dueAt - performance.now()));
  };
  const endSecond = (now: number) => {
    const second = Math.round((now - measuredFrom) / secondMilliseconds);
    recorder.endSecond(second);
    meter.endSecond(second);
  };
  timer = setTimeout(next, Math.max(0, (measuredFrom - performance.now()) % secondMilliseconds));
  return {
    stop() {
      clearTimeout(timer);
      if (hasBegun) recorder.endSecond(Math.ceil((performance.now() - measuredFrom) / secondMilliseconds));
    },
  };
}
