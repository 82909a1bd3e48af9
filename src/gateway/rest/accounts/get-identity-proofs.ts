/** GET /api/v1/accounts/:id/identity_proofs: always empty; old clients expect a list. */

import { z } from 'zod';
import { knownAccount } from '../../../operations/accounts/known-account.ts';
import { EmptyEntity } from '../../entities/values.ts';
import { json } from '../../http/answers.ts';
import { id } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';

const parameters = z.object({ id });

export const getIdentityProofs = endpoint({
  method: 'GET',
  path: '/api/v1/accounts/:id/identity_proofs',
  deprecated: { at: Date.UTC(2022, 2, 30) },
  authentication: 'user',
  parameters,
  summary: 'Always empty: identity proofs are no longer made.',
  answer: z.array(EmptyEntity),
  handler({ services }, { id: accountId }) {
    knownAccount(services, accountId);
    return json([]);
  },
});
