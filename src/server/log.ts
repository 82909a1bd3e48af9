/** The log: one JSON line per event, to standard output. Causes of failures go here and nowhere else. */
import { pino } from 'pino';
import type { Problem } from '../runtime/ports.ts';

export type Report = (problem: Problem) => void;

export function createReport(level: string, thread: string): Report {
  const logger = pino({ level, base: { thread }, formatters: { level: (label) => ({ level: label }) } });
  return ({ level: severity, message, error }) => {
    if (error === undefined) logger[severity](message);
    else logger[severity]({ err: error }, message);
  };
}
