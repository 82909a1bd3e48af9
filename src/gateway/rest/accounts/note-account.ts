/** POST /api/v1/accounts/:id/note: what the user notes about an account, for nobody else. */
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
  summary: 'Keeps a note on an account; an empty one takes it away.',
  answer: RelationshipEntity,
  handler: async (context, { id: accountId, comment = '' }) =>
    relationshipAnswer(context, await noteAccount(context, { accountId, comment })),
});
