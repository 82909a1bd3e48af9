/** The StatusEdit entity: a version of a status. */

import type { z } from 'zod';
import type { StatusVersion } from '../../actors/account/statuses/statuses.records.ts';
import type { Addresses } from '../../services/addresses.ts';
import type { AccountEntity } from './account.ts';
import { emojiEntity } from './emoji.ts';
import { attachmentEntities } from './media-attachment.ts';
import type { StatusEditEntity } from './status-schema.ts';
import { timestamp } from './values.ts';

type QuoteBody = z.output<typeof StatusEditEntity>['quote'];

/** `account` is the author, and `quote` the quote of the version, as the viewer sees them now. */
export function statusEditEntity(
  version: StatusVersion,
  account: AccountEntity,
  html: (written: string) => string,
  addresses: Addresses,
  quote?: QuoteBody,
) {
  return {
    content: html(version.content),
    spoiler_text: version.spoilerText,
    sensitive: version.sensitive,
    created_at: timestamp(version.createdAt),
    account,
    media_attachments: attachmentEntities(version.attachments, addresses),
    emojis: version.emojis.map((emoji) => emojiEntity(emoji, addresses)),
    ...(version.pollOptions === undefined
      ? {}
      : { poll: { options: version.pollOptions.map((title) => ({ title })) } }),
    ...(quote === undefined ? {} : { quote }),
  };
}
