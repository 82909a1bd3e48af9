/** The pin of a status goes with it. */
import type { StatusHooks } from '../statuses/status-hooks.ts';
import { removePin } from './store-pin.ts';

export const pinHooks: StatusHooks = {
  removed: (turn, { id }) => void removePin(turn, id),
};
