/** GET /api/v1/accounts/relationships (specification 4.2: missing accounts are left out). */
import { z } from 'zod';
import { relationshipLimits } from '../../../actors/account/relationships/limits.ts';
import { findRelationships } from '../../../actors/account/relationships/relationships.queries.ts';
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
  summary: 'What accounts are to the user.',
  answer: z.array(RelationshipEntity),
  handler({ services, grant }, { id: accountIds = [], with_suspended: withSuspended = true }) {
    const asked = accountIds.slice(0, relationshipLimits.relationshipsMax);
    const views = findRelationships(services.snapshots, grant.accountId, asked, withSuspended, services.now());
    return json(views.map((view) => relationshipEntity(view, grant.dialect)));
  },
});
