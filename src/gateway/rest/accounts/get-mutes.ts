/** GET /api/v1/mutes (specification 4.2: paginated properly). */
import { z } from 'zod';
import { mutesOf } from '../../../actors/account/relationships.queries.ts';
import { pageParameters } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import type { Services } from '../../services.ts';
import { mutedAccountEntity } from '../entities/account.ts';
import { boundsOf, pageAnswer } from './answers.ts';

const parameters = z.object(pageParameters(40, 80));

export const getMutes = endpoint<Services, 'user', typeof parameters>({
  method: 'GET',
  path: '/api/v1/mutes',
  authentication: 'user',
  scopes: ['read:mutes'],
  parameters,
  summary: 'The accounts that the user mutes, latest first.',
  handler({ services, grant, request }, page) {
    const muted = mutesOf(services.snapshots, grant.accountId, boundsOf(page), services.now());
    return pageAnswer(request, muted, page.limit, (account) =>
      mutedAccountEntity(account, account.mute, services.addresses),
    );
  },
});
