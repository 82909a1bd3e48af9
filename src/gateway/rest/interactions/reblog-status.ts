/** POST /api/v1/statuses/:id/reblog (specification 6.2: an Announce is delivered). */
import { z } from 'zod';
import { Account } from '../../../actors/account/account.messages.ts';
import { flowOfAccount } from '../../../services/services.ts';
import { json } from '../../http/answers.ts';
import { choice, id } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { renderStatus, viewerOfGrant, visibleStatus } from '../status-answers.ts';
import { visibleOriginal } from './originals.ts';

const parameters = z.object({ id, visibility: choice(['public', 'unlisted', 'private']) });

export const reblogStatus = endpoint({
  method: 'POST',
  path: '/api/v1/statuses/:id/reblog',
  authentication: 'user',
  scopes: ['write:statuses'],
  parameters,
  summary: 'Reblogs a status and answers the reblog; the second time, the one that is there.',
  async handler(context, given) {
    const { services, grant } = context;
    const { accountId } = grant;
    context.caller.limits.check('statuses');
    const { status } = visibleOriginal(services, given.id, accountId);
    const reblog = await services.client.call(
      Account.reblog.to(status.accountId, { statusId: status.id, by: accountId, visibility: given.visibility }),
      flowOfAccount(accountId),
    );
    context.caller.limits.count('statuses');
    const view = visibleStatus(services, reblog.statusId, viewerOfGrant(services, accountId));
    return json(renderStatus(services, view, accountId));
  },
});
