/** POST /api/v1/statuses/:id/favourite (specification 6.2: a Like is delivered). */
import { z } from 'zod';
import { Account } from '../../../actors/account/account.messages.ts';
import { flowOfAccount } from '../../../services/services.ts';
import { json } from '../../http/answers.ts';
import { id } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { renderStatus } from '../status-answers.ts';
import { visibleOriginal } from './originals.ts';

const parameters = z.object({ id });

export const favouriteStatus = endpoint({
  method: 'POST',
  path: '/api/v1/statuses/:id/favourite',
  authentication: 'user',
  scopes: ['write:favourites'],
  parameters,
  summary: 'Adds a status to the favourites of the user.',
  async handler({ services, grant }, given) {
    const { accountId } = grant;
    const { status } = visibleOriginal(services, given.id, accountId);
    const message = Account.favourite.to(status.accountId, { statusId: status.id, by: accountId });
    await services.client.call(message, flowOfAccount(accountId));
    return json(renderStatus(services, visibleOriginal(services, status.id, accountId), accountId));
  },
});
