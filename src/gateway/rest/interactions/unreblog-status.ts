/** POST /api/v1/statuses/:id/unreblog (specification 2.6: the answer says `reblogged: false`). */
import { z } from 'zod';
import { Account } from '../../../actors/account/account.messages.ts';
import { findStatus } from '../../../actors/account/statuses.queries.ts';
import { json } from '../../http/answers.ts';
import { id } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { flowOfAccount, type Services } from '../../services.ts';
import { renderStatus } from '../status-answers.ts';
import { markedOriginal, referenceTo } from './originals.ts';

const parameters = z.object({ id });

export const unreblogStatus = endpoint<Services, 'user', typeof parameters>({
  method: 'POST',
  path: '/api/v1/statuses/:id/unreblog',
  authentication: 'user',
  scopes: ['write:statuses'],
  rateLimit: 'statusDeletion',
  parameters,
  summary: "Deletes the user's reblog of a status and answers the original.",
  async handler({ services, grant }, given) {
    const { accountId } = grant;
    const before = markedOriginal(services, given.id, accountId, 'reblogged');
    const message = Account.unreblog.to(accountId, referenceTo(before));
    await services.client.call(message, flowOfAccount(accountId));
    services.snapshots.fresh();
    const after = findStatus(services.snapshots, before.status.id) ?? before;
    return json({ ...renderStatus(services, after, accountId), reblogged: false });
  },
});
