/** Two players on two partitions who tell each other texts, and note what they were told. */
import { hear, playerOf } from './players.ts';
import { Rig } from './rig.ts';

/** On partition 1. */
export const alice = playerOf(1, 2);
/** On partition 0. */
export const bob = playerOf(0, 2);

export interface ListenersRig {
  readonly rig: Rig;
  /** What either was told, in order. */
  readonly heard: unknown[];
}

/** Scripts: `listen` notes a text, `tell alice` and `tell bob` send one. */
export function listenersRig(): ListenersRig {
  const rig = new Rig(2);
  const heard: unknown[] = [];
  rig.scripts.define('listen', (_turn, text) => void heard.push(text));
  rig.scripts.define('tell bob', (turn, text) => turn.tell(hear(bob, 'listen', text)));
  rig.scripts.define('tell alice', (turn, text) => turn.tell(hear(alice, 'listen', text)));
  return { rig, heard };
}
