/** The effects of remote hosts. Effect numbers are append-only over all actors: this file has 1 to 9. */
import { effectType } from '../../runtime/effects.ts';
import { type Processed, Received } from './domain.messages.ts';

/** Fetches what an activity of this host refers to, and processes the activity. */
export const processReceived = effectType<Received, Processed>(1, 'process received', Received);
