/** What network threads do: the runners of effects, the answers to gateways, the tasks. The registry of each. */
import type { EffectRunner } from '../runtime/effects.ts';
import type { Answerer, NetworkServices, NetworkTask } from './network-services.ts';

export interface NetworkRole {
  readonly effects: ReadonlyMap<number, EffectRunner<unknown, unknown>>;
  readonly answerers: ReadonlyMap<string, Answerer>;
  readonly tasks: readonly NetworkTask[];
}

export function createNetworkRole(_services: NetworkServices): NetworkRole {
  return { effects: new Map(), answerers: new Map(), tasks: [] };
}
