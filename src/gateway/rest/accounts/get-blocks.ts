/** GET /api/v1/blocks (specification 4.2: paginated properly). */

import { z } from 'zod';
import { blocksOf } from '../../../actors/account/relationships/relationships.queries.ts';
import { AccountEntity } from '../../entities/account.ts';
import { pageParameters } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { answerAccountPage } from './answers.ts';

const parameters = z.object(pageParameters(40, 80));

export const getBlocks = endpoint({
  method: 'GET',
  path: '/api/v1/blocks',
  authentication: 'user',
  scopes: ['read:blocks'],
  parameters,
  summary: 'Lists the accounts that the user blocks, latest first.',
  answer: z.array(AccountEntity),
  handler(context, page) {
    const { services, grant } = context;
    const { presenter, snapshots } = services;
    return answerAccountPage(context, page, (bounds) =>
      blocksOf(snapshots, grant.accountId, presenter.allAccounts(grant.accountId), bounds),
    );
  },
});
