/**
 * The flow of a piece of work is who caused it: `account:<id>`, `domain:<host>`, `visitors`, `relay` or `system`. Flows
 * share the turns of a partition fairly. Where requests are traced, the id of the request travels along through messages,
 * timers, effects and deliveries, and each step is logged with it.
 */
export interface DescribedFlow {
  readonly flow: string;
  /** The id of the request that began the work. */
  readonly cause?: string | undefined;
  /** For a call: runs before its answer arrives, if what led to that answer has invalidated what threads cache. */
  readonly invalidated?: (() => void) | undefined;
}

export type Flow = string | DescribedFlow;

/** `cause` is undefined where requests are not traced. */
export function traced(flow: string, cause: string | undefined): Flow {
  return cause === undefined ? flow : { flow, cause };
}

/** Logs one step of a traced request. */
export type Trace = (cause: string, step: string, details?: Readonly<Record<string, unknown>>) => void;
