/**
 * Every part of a status in its Status entity: the fields that are the same for every viewer, which are encoded once, and
 * what is appended for each viewer behind them.
 */
import { cardOf } from '../../actors/account/cards/cards.queries.ts';
import type { PartName } from '../../actors/account/statuses/statuses.records.ts';
import type { EncodableView } from '../../operations/presentation/cached-status.ts';
import { quoteOf } from '../../operations/presentation/quotes.ts';
import { attributedCardOf } from '../../operations/presentation/viewer-parts.ts';
import type { Addresses } from '../../services/addresses.ts';
import type { EncodableStatus } from './encodable-status.ts';
import { interactionPolicyEntity } from './interaction-policy.ts';
import { attachmentEntities } from './media-attachment.ts';
import type { PageBuffer } from './page-buffer.ts';
import { pollEntity } from './poll.ts';
import { previewCardEntity } from './preview-card.ts';
import type { FieldsOfParts } from './status-schema.ts';

type AppendStatus = (buffer: PageBuffer, shown: EncodableStatus) => void;

interface EntityPart {
  /** Fields with the same bytes for every viewer: none where the status has a part that depends on the viewer. */
  shared?(view: EncodableView, addresses: Addresses): FieldsOfParts;
  /**
   * Text behind the shared fields that only the viewer's state ends: encoded once as well. One part of a status at most
   * has such a text.
   */
  begun?(view: EncodableView, addresses: Addresses): string | undefined;
  /** Appends the end of the begun text. */
  end?(buffer: PageBuffer, shown: EncodableStatus): void;
  /** Appends fields that depend on the viewer, each followed by a comma. */
  append?(buffer: PageBuffer, shown: EncodableStatus, appendStatus: AppendStatus): void;
}

const entityParts: Readonly<Record<PartName, EntityPart>> = {
  attachments: {
    shared: ({ status, author }, addresses) => ({
      media_attachments: attachmentEntities(status.attachments, addresses, author.profile),
    }),
  },
  poll: {
    shared: ({ status }) => (status.poll === undefined ? { poll: null } : {}),
    begun({ status: { id, poll, emojis }, tally, author }, addresses) {
      if (poll === undefined) return undefined;
      return `,"poll":${JSON.stringify(pollEntity(id, poll, tally, emojis, addresses, author.profile)).slice(0, -1)}`;
    },
    end(buffer, { status, state, shownTo }) {
      if (status.hasPoll) buffer.append(state.poll[shownTo]);
    },
  },
  quote: {
    shared: ({ status }) => (quoteOf(status) === undefined ? { quote: null } : {}),
    append(buffer, { parts }, appendStatus) {
      if (parts?.quote !== undefined) appendQuote(buffer, parts.quote, appendStatus);
    },
  },
  collections: {
    shared: ({ status }) => (status.taggedCollections === undefined ? { tagged_collections: [] } : {}),
    append(buffer, { parts }) {
      if (parts?.collections !== undefined) buffer.append(parts.collections);
    },
  },
  audience: {},
  card: {
    shared({ status, author: { profile: by } }, addresses) {
      if (attributedCardOf(status) !== undefined) return {};
      const card = cardOf(status);
      return { card: card === undefined ? null : previewCardEntity(card, addresses, { link: status.link, by }) };
    },
    append(buffer, { parts }) {
      if (parts?.card !== undefined) buffer.append(parts.card);
    },
  },
  heldReply: {
    shared: ({ status: { heldReply } }) => (heldReply === undefined ? {} : { reply_state: heldReply.state }),
  },
  localOnly: { shared: ({ status: { localOnly } }) => (localOnly === true ? { local_only: true } : {}) },
  replyPolicy: {
    shared: ({ status: { replyApproval } }) =>
      replyApproval === undefined ? {} : { interaction_policy: interactionPolicyEntity(replyApproval) },
    append(buffer, { status, parts }) {
      const approval = status.repliable?.replyApproval;
      if (approval === undefined || parts?.replyPermission === undefined) return;
      const { automatic, manual } = approval;
      const entity = { automatic, manual, current_user: parts.replyPermission };
      buffer.append(Buffer.from(`"reply_approval":${JSON.stringify(entity)},`));
    },
  },
};

const parts = Object.values(entityParts);

export function sharedFields(view: EncodableView, addresses: Addresses): FieldsOfParts {
  const fields: FieldsOfParts = {};
  for (const part of parts) Object.assign(fields, part.shared?.(view, addresses));
  return fields;
}

/** The text of the part that the viewer's state ends; empty for none. */
export function begunText(view: EncodableView, addresses: Addresses): string {
  return parts.map((part) => part.begun?.(view, addresses) ?? '').join('');
}

export function appendBegunEnd(buffer: PageBuffer, shown: EncodableStatus): void {
  for (const part of parts) part.end?.(buffer, shown);
}

export function appendPersonalFields(buffer: PageBuffer, shown: EncodableStatus, appendStatus: AppendStatus): void {
  for (const part of parts) part.append?.(buffer, shown, appendStatus);
}

const quoteEnd = Buffer.from('},');
const colon = 0x3a;

/** The Quote entity, or a ShallowQuote inside another quote, followed by a comma. */
function appendQuote(
  buffer: PageBuffer,
  { state, statusId, status, isShallow }: NonNullable<NonNullable<EncodableStatus['parts']>['quote']>,
  appendStatus: AppendStatus,
): void {
  if (status === undefined) {
    const quotedId = statusId === undefined ? null : `"${statusId}"`;
    const rest = isShallow === true ? `"quoted_status_id":${quotedId}` : '"quoted_status":null';
    buffer.append(Buffer.from(`"quote":{"state":"${state}",${rest}},`));
    return;
  }
  buffer.append(Buffer.from(`"quote":{"state":"${state}","quoted_status"`));
  const separator = buffer.length;
  appendStatus(buffer, status);
  buffer.overwrite(separator, colon);
  buffer.append(quoteEnd);
}
