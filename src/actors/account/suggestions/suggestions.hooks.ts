/** Nobody is suggested across a block. */
import type { RelationshipHooks } from '../relationships/relationship-hooks.ts';
import { forgetSuggestion } from './note-interaction.ts';

export const suggestionHooks: RelationshipHooks = { blocked: forgetSuggestion };
