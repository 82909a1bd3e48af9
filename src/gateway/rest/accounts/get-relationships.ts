/** GET /api/v1/accounts/relationships (specification 4.2: missing accounts are left out). */
import { z } from 'zod';
import type { RelationshipView } from '../../../actors/account/relationship-views.queries.ts';
import { relationshipsWithMany } from '../../../operations/relationships/find-relationships.ts';
import { RelationshipEntity, relationshipEntity } from '../../entities/relationship.ts';
import { json } from '../../http/answers.ts';
import { boolean, idList } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';

const parameters = z.object({ id: idList, with_suspended: boolean });

export const getRelationships = endpoint({
  method: 'GET',
  path: '/api/v1/accounts/relationships',
  authentication: 'user',
  scopes: ['read:follows'],
  parameters,
  summary: "Returns the user's relationships with accounts.",
  answer: z.array(RelationshipEntity),
  handler(
    { services, request, grant: { accountId: viewerId, dialect } },
    { id: accountIds = [], with_suspended: withSuspended = true },
  ) {
    const asked = { viewerId, accountIds, withSuspended };
    const found = services.slices.run(relationshipsWithMany(services, asked), request);
    const answer = (views: readonly RelationshipView[]) => json(views.map((view) => relationshipEntity(view, dialect)));
    return found instanceof Promise ? found.then(answer) : answer(found);
  },
});
