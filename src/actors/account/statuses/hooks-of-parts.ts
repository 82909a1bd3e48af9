/** The parts of a status about which turns do something besides storing its fields, in the order of their hooks. */
import { cardHooks } from '../cards/card.hooks.ts';
import { attachmentsHooks } from '../media/attachments.hooks.ts';
import { pollHooks } from '../polls/poll.hooks.ts';
import { quoteHooks } from '../quotes/quote.hooks.ts';
import type { PartHooks } from './part-hooks.ts';
import type { PartName } from './statuses.records.ts';

const hooksByPart: { readonly [Name in PartName]?: PartHooks } = {
  attachments: attachmentsHooks,
  poll: pollHooks,
  quote: quoteHooks,
  card: cardHooks,
};

export const hooksOfParts: readonly PartHooks[] = Object.values(hooksByPart);
