/** POST /api/v1/accounts/:id/note: the user's private note about an account. */
import { z } from 'zod';
import { noteAccount } from '../../../operations/relationships/note-account.ts';
import { RelationshipEntity } from '../../entities/relationship.ts';
import { id, text } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { relationshipAnswer } from './answers.ts';

export const postNote = endpoint({
  method: 'POST',
  path: '/api/v1/accounts/:id/note',
  authentication: 'user',
  scopes: ['write:accounts'],
  parameters: z.object({ id, comment: text }),
  summary: 'Sets the private note on an account; an empty one removes it.',
  answer: RelationshipEntity,
  handler: async (context, { id: accountId, comment = '' }) =>
    relationshipAnswer(context, await noteAccount(context, { accountId, comment })),
});
