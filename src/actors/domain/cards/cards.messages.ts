/** Link cards: the host of a page keeps its card for all statuses that link to it. Message numbers 7 to 12 of domains. */
import { z } from 'zod';
import { cast } from '../../../runtime/contract.ts';
import { identifier } from '../../account/account.records.ts';
import { Card } from '../../account/cards/cards.records.ts';

/** What was found at an address. */
export const FetchedCard = z.object({
  url: z.string(),
  /** Absent where nothing makes a card. */
  card: Card.optional(),
  /** Another attempt may succeed after this long. Absent: as late as for a card. */
  againMilliseconds: z.number().optional(),
});
export type FetchedCard = z.infer<typeof FetchedCard>;

const OfStatus = { url: z.string(), accountId: identifier, statusId: identifier };

export const cardMessages = {
  /** A status links to an address of this host. The card is fetched after the delay if it is not known. */
  cardWanted: cast(7, z.object({ ...OfStatus, delayMilliseconds: z.number() })),
  /** The status is gone, or links to something else now. */
  cardUnwanted: cast(8, z.object(OfStatus)),
  /** The timer: fetches what is due, one after the other. */
  fetchCards: cast(9, z.object({})),
  /** The answer of the effect. */
  cardFetched: cast(10, FetchedCard),
  /** The timer: a card that no status shows is forgotten. */
  forgetCard: cast(11, z.object({ url: z.string() })),
  /** Gives the card to the statuses that wait for it, in slices. */
  informOfCard: cast(12, z.object({ url: z.string(), afterStatusId: identifier.optional() })),
};
