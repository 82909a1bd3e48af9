/**
 * The flow of a piece of work is who caused it: `account:<id>`, `domain:<host>`, `visitors`, `relay` or `system`. Flows
 * share the turns of a partition fairly. Where requests are traced, their cause travels along through messages, timers,
 * effects and deliveries, and each step is told with it (tracing/trace.ts).
 */
export interface DescribedFlow {
  readonly flow: string;
  /** The request that began the work, and the step that asks for it (tracing/cause.ts). */
  readonly cause?: string | undefined;
  /** For a call: runs before its answer arrives, if what led to that answer has invalidated what threads cache. */
  readonly invalidated?: (() => void) | undefined;
}

export type Flow = string | DescribedFlow;

/** `cause` is undefined where requests are not traced. */
export function traced(flow: string, cause: string | undefined): Flow {
  return cause === undefined ? flow : { flow, cause };
}
