/**
 * The flow of a piece of work is who caused it: `account:<id>`, `domain:<host>`, `visitors` or `system`. Flows share
 * the turns of a partition fairly. Where requests are traced, the id of the request travels along through messages,
 * timers, effects and deliveries, and each step is logged with it.
 */
export interface TracedFlow {
  readonly flow: string;
  /** The id of the request that began the work. */
  readonly cause: string;
}

export type Flow = string | TracedFlow;

/** `cause` is undefined where requests are not traced. */
export function traced(flow: string, cause: string | undefined): Flow {
  return cause === undefined ? flow : { flow, cause };
}

/** Logs one step of a traced request. */
export type Trace = (cause: string, step: string, details?: Readonly<Record<string, unknown>>) => void;
