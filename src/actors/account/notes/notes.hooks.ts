/** A mute is remembered like a note: a move carries both over. */
import type { RelationshipHooks } from '../relationships/relationship-hooks.ts';
import { tellRemembered } from './notes.turn.ts';

export const noteHooks: RelationshipHooks = {
  muted(turn, targetId, { isNew }) {
    if (isNew) tellRemembered(turn, targetId);
  },
  unmuted: tellRemembered,
};
