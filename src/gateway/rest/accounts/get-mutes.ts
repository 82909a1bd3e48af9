/** GET /api/v1/mutes (specification 4.2: paginated properly). */
import { z } from 'zod';
import { mutesOf } from '../../../actors/account/relationships/relationships.queries.ts';
import { MutedAccountEntity, mutedAccountEntity } from '../../entities/account.ts';
import { accountsFor } from '../../entities/accounts-for.ts';
import { pageParameters } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { answerPage } from './answers.ts';

const parameters = z.object(pageParameters(40, 80));

export const getMutes = endpoint({
  method: 'GET',
  path: '/api/v1/mutes',
  authentication: 'user',
  scopes: ['read:mutes'],
  parameters,
  summary: 'Lists the accounts that the user mutes, latest first.',
  answer: z.array(MutedAccountEntity),
  handler({ services, grant, request }, page) {
    const shown = accountsFor(services, grant.accountId);
    return answerPage(
      request,
      page,
      (bounds) => mutesOf(services.snapshots, grant.accountId, bounds, services.now()),
      (account) => mutedAccountEntity(shown(account), account.mute),
    );
  },
});
