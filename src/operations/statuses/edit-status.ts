/**
 * Replaces the text of a status, its content warning and its language; visibility and parent stay. An undefined
 * language stays unchanged; an undefined content warning is removed.
 */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { identifier } from '../../actors/account/account.records.ts';
import { QuotePolicy } from '../../actors/account/quotes/quotes.records.ts';
import { findStatus } from '../../actors/account/statuses/statuses.queries.ts';
import { validationFailure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { pageOf, pollWithQuote } from '../quotes/quoted-status.ts';
import { findMentions, handlesOf } from './mentions.ts';
import { destinationsOfStatus, onOwnStatus } from './own-status.ts';
import { contentOf, isSensitive, languageOf, writtenInput, writtenStatus } from './written-status.ts';

export const editStatus = operation({
  input: z.object({
    statusId: identifier,
    ...writtenInput,
    /** The poll stays unchanged; otherwise it is replaced by the given one, or removed. */
    keepsPoll: z.boolean().optional(),
    quotePolicy: QuotePolicy.optional(),
  }),
  permission: 'post',
  on: onOwnStatus,
  async run({ caller, services }, given, { status }): Promise<{ statusId: Id }> {
    const quoted = status.quote && findStatus(services.snapshots, status.quote.statusId);
    if (status.quote !== undefined && given.poll !== undefined)
      throw validationFailure(pollWithQuote, { reason: 'pollWithQuote' });
    const written = writtenStatus(given, status.quote !== undefined);
    const found = await findMentions(services, handlesOf(written.tokens), caller.cause);
    const keptOptions = given.keepsPoll === true ? status.poll?.options : undefined;
    const edit = {
      ...contentOf(services, { ...written, keptOptions }, found, quoted && pageOf(services, quoted)),
      statusId: status.id,
      keepsPoll: given.keepsPoll,
      quotePolicy: given.quotePolicy,
      sensitive: isSensitive(written, given.sensitive ?? false),
      language: languageOf(given.language) ?? status.language,
      formerDestinations: await services.slices.run(destinationsOfStatus(services, status)),
    };
    await services.client.call(Account.edit.to(caller.accountId, edit), flowOf(caller));
    return { statusId: status.id };
  },
});
