/**
 * The log: one JSON line per event, to standard output; for a single command to standard error, beside its answer. Causes of
 * failures are written here and nowhere else.
 */
import { pino } from 'pino';
import type { Options } from '../options/table.ts';
import { Failure } from '../runtime/errors.ts';
import type { Problem } from '../runtime/ports.ts';
import { type Trace, traceOfLog } from '../runtime/tracing/trace.ts';
import { type LogFile, LogOutput } from './log-output.ts';

export type Report = (problem: Problem) => void;

/** Where a thread logs, and from which level on. */
export interface LogInput {
  readonly options: Pick<Options, 'tracing' | 'logLevel'>;
  readonly logFile: LogFile;
}

export function createReport(input: LogInput, thread: string): Report {
  const logger = createLogger(input, thread);
  return ({ level: severity, message, error }) => {
    if (error === undefined) logger[severity](message);
    else logger[severity]({ err: error }, message);
  };
}

/** Undefined where the log does not trace requests. Each line has the id of the request in `cause`. */
export function createLogTrace(input: LogInput, thread: string): Trace | undefined {
  if (!input.options.tracing) return undefined;
  const logger = createLogger(input, thread);
  return traceOfLog((cause, { text, details }) => logger.info({ cause, ...details }, text));
}

function createLogger({ options: { logLevel }, logFile }: LogInput, thread: string) {
  const formatters = { level: (label: string) => ({ level: label }) };
  return pino({ level: logLevel, base: { thread }, formatters }, new LogOutput(logFile));
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
