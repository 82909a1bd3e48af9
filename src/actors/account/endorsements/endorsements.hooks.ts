/** An endorsement ends with the follow. */
import type { RelationshipHooks } from '../relationships/relationship-hooks.ts';
import { endEndorsement } from './end-endorsement.ts';

export const endorsementHooks: RelationshipHooks = { unfollowed: endEndorsement };
