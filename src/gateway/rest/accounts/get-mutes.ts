/** GET /api/v1/mutes (specification 4.2: paginated properly). */
import { z } from 'zod';
import { mutesOf } from '../../../actors/account/relationships/relationships.queries.ts';
import { MutedAccountEntity } from '../../entities/account.ts';
import { pageHeaders } from '../../http/pagination.ts';
import { pageParameters } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { answerFilledPage } from '../filled-page.ts';
import { jsonBytes } from '../status-answers.ts';
import { boundsOf } from './answers.ts';

const parameters = z.object(pageParameters(40, 80));

export const getMutes = endpoint({
  method: 'GET',
  path: '/api/v1/mutes',
  authentication: 'user',
  scopes: ['read:mutes'],
  parameters,
  summary: 'Lists the accounts that the user mutes, latest first.',
  answer: z.array(MutedAccountEntity),
  handler({ services, grant, request }, given) {
    const { presenter, snapshots, answers, now } = services;
    return answerFilledPage(
      boundsOf(given),
      (bounds) => mutesOf(snapshots, grant.accountId, presenter.allAccounts(grant.accountId), bounds, now()),
      (page) => jsonBytes(answers.mutedAccounts(page.items), pageHeaders(request, page, given.limit, 'since_id')),
    );
  },
});
