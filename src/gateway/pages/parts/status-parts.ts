/** Every part of a status on a page, in the order in which they are shown below its text. */
import type { PartName } from '../../../actors/account/statuses/statuses.records.ts';
import type { PresentedStatus } from '../../../operations/presentation/presented-status.ts';
import type { Id } from '../../../runtime/ids.ts';
import { type Html, html } from '../../../services/words/html.ts';
import type { Visit } from '../visit.ts';
import { linkedCollections } from './collections.ts';
import { consentOf } from './consent.ts';
import { pollOf } from './poll.ts';
import { previewOf } from './preview.ts';
import { quoteOf } from './quote.ts';

/** `place` is the id of the entry, to return to. */
type Show = (visit: Visit, view: PresentedStatus, place: Id) => Html | undefined;

const nothing: Show = () => undefined;

const shownParts: Readonly<Record<PartName, Show>> = {
  poll: pollOf,
  quote: quoteOf,
  collections: linkedCollections,
  /** Last of all, and hidden where it is sensitive: parts/status.ts. */
  attachments: nothing,
  /** The visibility says it: parts/status.ts. */
  audience: nothing,
  card: previewOf,
  /** Where the visitor may not reply, the footer says it: parts/status.ts. */
  replyPolicy: nothing,
  /** Beside its time: parts/status.ts. */
  localOnly: nothing,
  heldReply: consentOf,
};

const parts = Object.values(shownParts);

export function partsOf(visit: Visit, view: PresentedStatus, place: Id): Html {
  return html`${parts.map((show) => show(visit, view, place))}`;
}
