/** The log: one JSON line per event, to standard output. Causes of failures are written here and nowhere else. */
import { pino } from 'pino';
import type { Options } from '../options/table.ts';
import { Failure } from '../runtime/errors.ts';
import type { Trace } from '../runtime/flow.ts';
import type { Problem } from '../runtime/ports.ts';

export type Report = (problem: Problem) => void;

export function createReport(level: string, thread: string): Report {
  const logger = pino({ level, base: { thread }, formatters: { level: (label) => ({ level: label }) } });
  return ({ level: severity, message, error }) => {
    if (error === undefined) logger[severity](message);
    else logger[severity]({ err: error }, message);
  };
}

/** Undefined where requests are not traced. Each line has the id of the request in `cause`. */
export function createTrace(
  { tracing, logLevel }: Pick<Options, 'tracing' | 'logLevel'>,
  thread: string,
): Trace | undefined {
  if (!tracing) return undefined;
  const logger = pino({ level: logLevel, base: { thread }, formatters: { level: (label) => ({ level: label }) } });
  return (cause, step, details) => logger.info({ cause, ...details }, step);
}

/** Failures of requests between threads when the asking thread stops. */
const codesOfStopping: ReadonlySet<string> = new Set(['outcomeUnknown', 'overloaded']);

/** Leaves out failures that are caused by stopping the thread. */
export function quietAboutStopping(report: Report, isStopping: () => boolean): Report {
  return (problem) => {
    const { error } = problem;
    if (!(isStopping() && error instanceof Failure && codesOfStopping.has(error.code))) report(problem);
  };
}
