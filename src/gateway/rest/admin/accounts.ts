/** The endpoints of accounts as staff see them, and of decisions about them. */
import { z } from 'zod';
import { approveAccount } from '../../../operations/administration/admit-account.ts';
import { disableAccount, enableAccount } from '../../../operations/administration/disable-account.ts';
import { inspectAccount } from '../../../operations/administration/inspect-account.ts';
import { limitAccount, unlimitAccount } from '../../../operations/administration/limit-account.ts';
import {
  markAccountSensitive,
  unmarkAccountSensitive,
} from '../../../operations/administration/mark-account-sensitive.ts';
import { suspendAccount, unsuspendAccount } from '../../../operations/administration/suspend-account.ts';
import { warnAccount } from '../../../operations/administration/warn-account.ts';
import { Failure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { AdminAccountEntity, adminAccountEntity } from '../../entities/admin/accounts.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { type Answer, json } from '../../http/answers.ts';
import type { UserContext } from '../../http/context.ts';
import { boolean, choice, chosenId, id, required, text } from '../../http/parameter-types.ts';
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

/** What the type of an action stands for. */
const actions = {
  none: warnAccount,
  sensitive: markAccountSensitive,
  disable: disableAccount,
  silence: limitAccount,
  suspend: suspendAccount,
} as const;
const types = ['none', 'sensitive', 'disable', 'silence', 'suspend'] as const satisfies (keyof typeof actions)[];

const act = staffEndpoint(warnAccount, {
  method: 'POST',
  path: `${path}/action`,
  scopes: ['admin:write:accounts'],
  parameters: z.object({
    id,
    type: required(choice(types)),
    report_id: chosenId,
    text,
    send_email_notification: boolean,
    /** There are no prepared texts. */
    warning_preset_id: chosenId,
  }),
  summary: 'Warns an account, or does something about it, with a strike that it sees.',
  answer: z.strictObject({}),
  async handler(context, { id: account, type, report_id: reportId, warning_preset_id: presetId, ...given }) {
    if (presetId !== undefined) throw new Failure('notFound');
    const { text: told, send_email_notification: tells } = given;
    await actions[type](context, { account, text: told, reportId, tells });
    return json({});
  },
});

export const adminAccountEndpoints = [
  getAccount,
  act,
  decided('approve', approveAccount, 'Approves a local account that waits for it.'),
  decided('enable', enableAccount, 'Lets a local account sign in again.'),
  decided('unsensitive', unmarkAccountSensitive, 'No longer shows all media of an account as sensitive.'),
  decided('unsilence', unlimitAccount, 'Ends the limits of an account.'),
  decided('unsuspend', unsuspendAccount, 'Ends the suspension of an account by this server.'),
];
