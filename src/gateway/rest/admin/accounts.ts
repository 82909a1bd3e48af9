/** The endpoints of accounts as staff see them, and of decisions about local ones that are taken back or given. */
import { z } from 'zod';
import { approveAccount } from '../../../operations/administration/admit-account.ts';
import { enableAccount } from '../../../operations/administration/disable-account.ts';
import { inspectAccount } from '../../../operations/administration/inspect-account.ts';
import { unlimitAccount } from '../../../operations/administration/limit-account.ts';
import { unsuspendAccount } from '../../../operations/administration/suspend-account.ts';
import type { Id } from '../../../runtime/ids.ts';
import { AdminAccountEntity, adminAccountEntity } from '../../entities/admin/accounts.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { type Answer, json } from '../../http/answers.ts';
import type { UserContext } from '../../http/context.ts';
import { id } from '../../http/parameter-types.ts';
import { staffEndpoint } from './staff-endpoint.ts';

const path = '/api/v1/admin/accounts/:id';
const parameters = z.object({ id });

function answerOf(context: UserContext<GatewayServices>, accountId: Id): Answer {
  return json(adminAccountEntity(inspectAccount(context, { accountId }), context.services));
}

const getAccount = staffEndpoint(inspectAccount, {
  method: 'GET',
  path,
  scopes: ['admin:read:accounts'],
  parameters,
  summary: 'Shows an account with the state of its login.',
  answer: AdminAccountEntity,
  handler: (context, { id: accountId }) => answerOf(context, accountId),
});

function decided(verb: string, decide: typeof approveAccount, summary: string) {
  return staffEndpoint(decide, {
    method: 'POST',
    path: `${path}/${verb}`,
    scopes: ['admin:write:accounts'],
    parameters,
    summary,
    answer: AdminAccountEntity,
    async handler(context, { id: accountId }) {
      await decide(context, { account: accountId });
      return answerOf(context, accountId);
    },
  });
}

export const adminAccountEndpoints = [
  getAccount,
  decided('approve', approveAccount, 'Approves a local account that waits for it.'),
  decided('enable', enableAccount, 'Lets a local account sign in again.'),
  decided('unsilence', unlimitAccount, 'Ends the limits of a local account.'),
  decided('unsuspend', unsuspendAccount, 'Ends the suspension of a local account.'),
];
