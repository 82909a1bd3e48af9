/** A block removes each of the two accounts from the collections of the other. */
import type { RelationshipHooks } from '../relationships/relationship-hooks.ts';
import { takeOutBlocked } from './curating.ts';

export const collectionHooks: RelationshipHooks = { blocked: takeOutBlocked };
