/** The StatusEdit entity: a version of a status. */

import type { z } from 'zod';
import type { Profile } from '../../actors/account/profile/profile.records.ts';
import type { StatusVersion } from '../../actors/account/statuses/statuses.records.ts';
import type { Addresses } from '../../services/addresses.ts';
import type { AccountEntity } from './account.ts';
import { emojiEntities } from './emoji.ts';
import { attachmentEntities } from './media-attachment.ts';
import type { StatusEditEntity } from './status-schema.ts';
import { timestamp } from './values.ts';

type QuoteBody = z.output<typeof StatusEditEntity>['quote'];

/** `account` is the author, and `quote` the quote of the version, as the viewer sees them now. */
export function statusEditEntity(
  version: StatusVersion,
  author: Profile,
  account: AccountEntity,
  addresses: Addresses,
  quote?: QuoteBody,
) {
  const isLocal = author.domain === undefined;
  return {
    content: isLocal ? addresses.absoluteLinks(version.content) : version.content,
    spoiler_text: version.spoilerText,
    sensitive: version.sensitive,
    created_at: timestamp(version.createdAt),
    account,
    media_attachments: attachmentEntities(version.attachments, addresses, author),
    emojis: emojiEntities(version.emojis, addresses, author),
    ...(version.pollOptions === undefined
      ? {}
      : { poll: { options: version.pollOptions.map((title) => ({ title })) } }),
    ...(quote === undefined ? {} : { quote }),
  };
}
