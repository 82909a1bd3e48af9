/**
 * Who caused a piece of work: `account:<id>`, `domain:<host>` or `system`. Flows share the turns of a partition fairly. Where
 * requests are traced, the id of the request comes along: it travels through messages, timers, effects and deliveries, and
 * each step writes it to the log.
 */
export interface TracedFlow {
  readonly flow: string;
  /** The id of the request that began it. */
  readonly cause: string;
}

export type Flow = string | TracedFlow;

/** Writes a step on the way of a request to the log. */
export type Trace = (cause: string, step: string, details?: Readonly<Record<string, unknown>>) => void;
