/** What was deleted can be imported again. */
import type { StatusHooks } from '../statuses/status-hooks.ts';
import { importedPosts } from './imports.state.ts';

export const importHooks: StatusHooks = {
  stored(turn, { id, accountId, importedFrom }) {
    if (importedFrom !== undefined) turn.put(importedPosts, [accountId, importedFrom], { id });
  },
  removed(turn, { accountId, importedFrom }) {
    if (importedFrom !== undefined) turn.delete(importedPosts, [accountId, importedFrom]);
  },
};
