/** The Suggestion entity: an account, and why it is suggested. */
import { z } from 'zod';
import { AccountEntity } from './account.ts';

export const SuggestionEntity = z
  .strictObject({
    source: z.enum(['staff', 'past_interactions', 'global']),
    sources: z.array(
      z.enum(['featured', 'most_followed', 'most_interactions', 'similar_to_recently_followed', 'friends_of_friends']),
    ),
    account: AccountEntity,
  })
  .meta({ id: 'Suggestion' });

/** Recent interactions of the user are the only reason that exists. */
export function suggestionEntity(account: AccountEntity): z.output<typeof SuggestionEntity> {
  return { source: 'past_interactions', sources: ['most_interactions'], account };
}
