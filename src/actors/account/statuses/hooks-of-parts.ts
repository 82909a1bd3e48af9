/** The hooks of every part of a status, in the order in which they run. */
import { pollHooks } from '../polls/poll.hooks.ts';
import { quoteHooks } from '../quotes/quote.hooks.ts';
import type { PartHooks } from './part-hooks.ts';
import type { PartName } from './statuses.records.ts';

const hooksByPart: Readonly<Record<PartName, PartHooks>> = {
  attachments: {},
  poll: pollHooks,
  quote: quoteHooks,
  collections: {},
  audience: {},
  card: {},
};

export const hooksOfParts: readonly PartHooks[] = Object.values(hooksByPart);
