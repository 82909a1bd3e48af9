/** The log: one JSON line per event, to standard output. Causes of failures go here and nowhere else. */
import { pino } from 'pino';
import { Failure } from '../runtime/errors.ts';
import type { Problem } from '../runtime/ports.ts';

export type Report = (problem: Problem) => void;

export function createReport(level: string, thread: string): Report {
  const logger = pino({ level, base: { thread }, formatters: { level: (label) => ({ level: label }) } });
  return ({ level: severity, message, error }) => {
    if (error === undefined) logger[severity](message);
    else logger[severity]({ err: error }, message);
  };
}

/** Requests between threads end with these when the asking thread stops. */
const codesOfStopping: ReadonlySet<string> = new Set(['outcomeUnknown', 'overloaded']);

/** Without what failed only because the thread is being stopped. */
export function quietAboutStopping(report: Report, isStopping: () => boolean): Report {
  return (problem) => {
    const { error } = problem;
    if (!(isStopping() && error instanceof Failure && codesOfStopping.has(error.code))) report(problem);
  };
}
