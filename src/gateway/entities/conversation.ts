/** The Conversation entity, assembled from encoded accounts and statuses. */

import { z } from 'zod';
import type { ShownConversation } from '../../operations/presentation/conversations.ts';
import { keptText } from '../../runtime/kept-text.ts';
import { AccountEntity } from './account.ts';
import type { EntityForms } from './encodable-status.ts';
import { appendAccount } from './encoded-account.ts';
import { appendStatus } from './encoded-status.ts';
import type { PageBuffer } from './page-buffer.ts';
import { UserStatusEntity } from './status-schema.ts';
import { flag, id } from './values.ts';

export const ConversationEntity = z
  .strictObject({ id, unread: flag, accounts: z.array(AccountEntity), last_status: UserStatusEntity.nullable() })
  .meta({ id: 'Conversation' });

export type EncodableConversation = ShownConversation<EntityForms>;

const colon = 0x3a;
const comma = 0x2c;
const closingBrace = 0x7d;
const lastStatusName = Buffer.from('],"last_status"');

/** The encoded part before the accounts. */
function encodeStart({ threadId, isUnread }: EncodableConversation['known']): Buffer {
  return keptText(`,{"id":"${threadId}","unread":${isUnread},"accounts":[`);
}

/** Appends a comma and the entity. */
export function appendConversation(buffer: PageBuffer, shown: EncodableConversation): void {
  shown.known.encoded ??= encodeStart(shown.known);
  buffer.append(shown.known.encoded);
  const { accounts } = shown;
  for (let index = 0; index < accounts.length; index += 1) {
    if (index > 0) buffer.appendByte(comma);
    appendAccount(buffer, accounts[index]!);
  }
  buffer.append(lastStatusName);
  const separator = buffer.length;
  appendStatus(buffer, shown.lastStatus);
  buffer.overwrite(separator, colon);
  buffer.appendByte(closingBrace);
}
