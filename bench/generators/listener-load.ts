/** WebSocket listeners as the scenarios use them. */
import { type Child, openChild } from '../processes/child.ts';
import type { FloodPlan, FloodResult } from './flood.ts';
import type { ListenersTarget, PostsPlan, Receipts } from './listeners.ts';

export interface Listeners {
  open(target: ListenersTarget): Promise<void>;
  post(plan: PostsPlan): Promise<Receipts>;
  /** Back to back. Throws when a post is refused, or an event does not arrive. */
  flood(plan: FloodPlan): Promise<FloodResult>;
  stop(): Promise<void>;
}

export function openListeners(core?: number): Listeners {
  const child: Child = openChild(new URL('./listeners.ts', import.meta.url), { core });
  return {
    open: (target) => child.ask('open', target),
    post: (plan) => child.ask('post', plan),
    flood: (plan) => child.ask('flood', plan),
    stop: () => child.stop(),
  };
}
