/** The Suggestion entity: an account, and why it is suggested. */
import { z } from 'zod';
import { AccountEntity } from './account.ts';
import { appendAccount, type EncodableAccount } from './encoded-account.ts';
import type { PageBuffer } from './page-buffer.ts';

export const SuggestionEntity = z
  .strictObject({
    source: z.enum(['staff', 'past_interactions', 'global']),
    sources: z.array(
      z.enum(['featured', 'most_followed', 'most_interactions', 'similar_to_recently_followed', 'friends_of_friends']),
    ),
    account: AccountEntity,
  })
  .meta({ id: 'Suggestion' });

const reason: Omit<z.output<typeof SuggestionEntity>, 'account'> = {
  source: 'past_interactions',
  sources: ['most_interactions'],
};
const start = Buffer.from(`,${JSON.stringify(reason).slice(0, -1)},"account":`);
const end = Buffer.from('}');

/** Appends a comma and the entity. Recent interactions of the user are the only reason that exists. */
export function appendSuggestion(buffer: PageBuffer, account: EncodableAccount): void {
  buffer.append(start);
  appendAccount(buffer, account);
  buffer.append(end);
}
