/** POST /api/v1/accounts/:id/follow (specification section 3: following again changes the given options). */

import { z } from 'zod';
import { relationshipLimits } from '../../../actors/account/relationships/limits.ts';
import { followAccount } from '../../../operations/relationships/follow-account.ts';
import { RelationshipEntity } from '../../entities/relationship.ts';
import { boolean, id, list, textUpTo } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { relationshipAnswer } from './answers.ts';

const parameters = z.object({
  id,
  reblogs: boolean,
  notify: boolean,
  /** An empty list means all languages, also in the form `languages[]=` that browsers send. */
  languages: list(textUpTo(relationshipLimits.languageCharactersMax)).transform((words) => words?.filter(isGiven)),
});

export const postFollow = endpoint({
  method: 'POST',
  path: '/api/v1/accounts/:id/follow',
  authentication: 'user',
  scopes: ['write:follows'],
  parameters,
  summary: 'Follows an account, or changes the options of a follow.',
  answer: RelationshipEntity,
  async handler(context, { id: accountId, reblogs: showReblogs, notify, languages }) {
    const options = { showReblogs, notify, languages };
    const { relationship } = await followAccount(context, { accountId, options });
    return relationshipAnswer(context, relationship);
  },
});

function isGiven(word: string | undefined): word is string {
  return word !== undefined && word !== '';
}
