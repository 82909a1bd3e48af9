/** The parts of a status about which turns do something besides storing its fields, in the order of their hooks. */
import { pollHooks } from '../polls/poll.hooks.ts';
import { quoteHooks } from '../quotes/quote.hooks.ts';
import type { PartHooks } from './part-hooks.ts';
import type { PartName } from './statuses.records.ts';

const hooksByPart: { readonly [Name in PartName]?: PartHooks } = {
  poll: pollHooks,
  quote: quoteHooks,
};

export const hooksOfParts: readonly PartHooks[] = Object.values(hooksByPart);
