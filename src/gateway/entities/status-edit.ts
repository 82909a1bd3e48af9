/** The StatusEdit entity: a version of a status. */
import type { z } from 'zod';
import type { AccountView } from '../../actors/account/statuses/statuses.queries.ts';
import type { StatusVersion } from '../../actors/account/statuses/statuses.records.ts';
import type { Addresses } from '../../services/addresses.ts';
import { accountEntity } from './account.ts';
import { emojiEntity } from './emoji.ts';
import { attachmentEntity } from './status.ts';
import type { StatusEditEntity } from './status-schema.ts';
import { timestamp } from './values.ts';

type QuoteBody = z.output<typeof StatusEditEntity>['quote'];

/** `quote`: the quote of the version, as the viewer sees it now. */
export function statusEditEntity(version: StatusVersion, author: AccountView, addresses: Addresses, quote?: QuoteBody) {
  return {
    content: author.profile.domain === undefined ? addresses.absoluteLinks(version.content) : version.content,
    spoiler_text: version.spoilerText,
    sensitive: version.sensitive,
    created_at: timestamp(version.createdAt),
    account: accountEntity(author, addresses),
    media_attachments: version.attachments.map(attachmentEntity),
    emojis: version.emojis.map(emojiEntity),
    ...(version.pollOptions === undefined
      ? {}
      : { poll: { options: version.pollOptions.map((title) => ({ title })) } }),
    ...(quote === undefined ? {} : { quote }),
  };
}
