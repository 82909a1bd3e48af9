/** Who is no longer followed leaves the lists. */
import type { RelationshipHooks } from '../relationships/relationship-hooks.ts';
import { leaveLists } from './leave-lists.ts';

export const listHooks: RelationshipHooks = { unfollowed: leaveLists };
