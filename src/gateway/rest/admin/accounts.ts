/** The endpoints of accounts as staff see them, and of decisions about them. */
import { z } from 'zod';
import { approveAccount, confirmAccount } from '../../../operations/administration/admit-account.ts';
import { changeAccountEmail } from '../../../operations/administration/change-account-email.ts';
import { disableAccount, enableAccount } from '../../../operations/administration/disable-account.ts';
import { disableTwoFactor } from '../../../operations/administration/disable-two-factor.ts';
import { endEmailSubscriptions } from '../../../operations/administration/end-email-subscriptions.ts';
import { endSessions, forceNewPassword } from '../../../operations/administration/end-sessions.ts';
import { inspectAccount } from '../../../operations/administration/inspect-account.ts';
import { limitAccount, unlimitAccount } from '../../../operations/administration/limit-account.ts';
import { listSignIns } from '../../../operations/administration/list-sign-ins.ts';
import {
  markAccountSensitive,
  unmarkAccountSensitive,
} from '../../../operations/administration/mark-account-sensitive.ts';
import { memorializeAccount } from '../../../operations/administration/memorialize-account.ts';
import { refetchAccount } from '../../../operations/administration/refetch-account.ts';
import { rejectAccount, removeAccountData, removePictures } from '../../../operations/administration/remove-account.ts';
import { demoteAccount, promoteAccount } from '../../../operations/administration/step-role.ts';
import { suspendAccount, unsuspendAccount } from '../../../operations/administration/suspend-account.ts';
import { unblockAccountEmail } from '../../../operations/administration/unblock-email.ts';
import { warnAccount } from '../../../operations/administration/warn-account.ts';
import { rotateKeys } from '../../../operations/keys/rotate-keys.ts';
import type { StaffPermission } from '../../../operations/permissions.ts';
import type { Id } from '../../../runtime/ids.ts';
import { AdminAccountEntity, adminAccountEntity } from '../../entities/admin/accounts.ts';
import { AdminSignInEntity, adminSignInEntity } from '../../entities/admin/sign-ins.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { type Answer, json } from '../../http/answers.ts';
import type { UserContext } from '../../http/context.ts';
import { boolean, choice, chosenId, id, required, text } from '../../http/parameter-types.ts';
import { boundsOf } from '../accounts/answers.ts';
import { staffEndpoint, staffPageAnswer, staffPageParameters } from './staff-endpoint.ts';

const path = '/api/v1/admin/accounts/:id';
const ownPath = '/api/murmuration/v1/admin/accounts/:id';
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

const getSignIns = staffEndpoint(listSignIns, {
  method: 'GET',
  path: `${path}/sign_ins`,
  scopes: ['admin:read:accounts'],
  parameters: z.object({ id, ...staffPageParameters }),
  summary: 'Lists the sign-ins to a local account, latest first, with those that failed.',
  answer: z.array(AdminSignInEntity),
  handler(context, { id: account, ...given }) {
    const { services, request } = context;
    const page = listSignIns(context, { account, ...boundsOf(given) });
    return staffPageAnswer(request, page, given.limit, (signIn) => adminSignInEntity(signIn, services));
  },
});

interface Decision {
  (context: UserContext<GatewayServices>, input: { readonly account: Id }): Promise<void>;
  readonly permission: StaffPermission;
}

function decided(verb: string, decide: Decision, summary: string, below = path) {
  return staffEndpoint(decide, {
    method: 'POST',
    path: `${below}/${verb}`,
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

const nothing = z.strictObject({});

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
    warning_preset_id: chosenId,
  }),
  summary: 'Warns an account, or does something about it, with a strike that it sees.',
  answer: nothing,
  async handler(context, { id: account, type, report_id: reportId, warning_preset_id: presetId, ...given }) {
    const { text: told, send_email_notification: tells } = given;
    await actions[type](context, { account, text: told, reportId, tells, presetId });
    return json({});
  },
});

const reject = staffEndpoint(rejectAccount, {
  method: 'POST',
  path: `${path}/reject`,
  scopes: ['admin:write:accounts'],
  parameters,
  summary: 'Rejects a sign-up: the account is gone, and its name is free.',
  answer: nothing,
  async handler(context, { id: account }) {
    await rejectAccount(context, { account });
    return json({});
  },
});

const remove = staffEndpoint(removeAccountData, {
  method: 'DELETE',
  path,
  scopes: ['admin:write:accounts'],
  parameters,
  summary: 'Removes at once what a suspended account left here.',
  answer: nothing,
  async handler(context, { id: account }) {
    await removeAccountData(context, { account });
    return json({});
  },
});

const removePicture = (picture: 'avatar' | 'header') =>
  staffEndpoint(removePictures, {
    method: 'POST',
    path: `${path}/remove_${picture}`,
    scopes: ['admin:write:accounts'],
    parameters: z.object({ id, text, send_email_notification: boolean, warning_preset_id: chosenId }),
    summary: `Removes the ${picture} of a local account, with a strike that it sees.`,
    answer: AdminAccountEntity,
    async handler(context, { id: account, warning_preset_id: presetId, send_email_notification: tells, text: said }) {
      await removePictures(context, { account, pictures: [picture], text: said, tells, presetId });
      return answerOf(context, account);
    },
  });

const changeEmail = staffEndpoint(changeAccountEmail, {
  method: 'POST',
  path: `${ownPath}/email`,
  scopes: ['admin:write:accounts'],
  parameters: z.object({ id, email: required(text) }),
  summary: 'Sends a link to a new e-mail address of a local account, which counts once somebody has followed it.',
  answer: AdminAccountEntity,
  async handler(context, { id: account, email }) {
    await changeAccountEmail(context, { account, email });
    return answerOf(context, account);
  },
});

export const adminAccountEndpoints = [
  getAccount,
  getSignIns,
  act,
  reject,
  remove,
  removePicture('avatar'),
  removePicture('header'),
  decided('promote', promoteAccount, 'Gives a local account the next higher role, up to that of an admin.'),
  decided('demote', demoteAccount, 'Gives a local account the next lower role.'),
  decided('sign_out', endSessions, 'Signs a local account out everywhere.'),
  decided('reset_password', forceNewPassword, 'Makes a local account choose a new password, by a link in a mail.'),
  decided('confirm', confirmAccount, 'Takes the e-mail address of a local account for confirmed.', ownPath),
  decided('disable_two_factor', disableTwoFactor, 'Lets a local account sign in with its password alone.', ownPath),
  decided(
    'end_email_subscriptions',
    endEmailSubscriptions,
    'Ends all subscriptions by mail to a local account, which may offer them anew.',
    ownPath,
  ),
  changeEmail,
  decided(
    'memorialize',
    memorializeAccount,
    'Keeps a local account in memory of somebody who has died: nobody signs in to it.',
    ownPath,
  ),
  decided(
    'unblock_email',
    unblockAccountEmail,
    'Lets the e-mail address of a suspended local account sign up again, which the suspension has blocked.',
    ownPath,
  ),
  decided('refetch', refetchAccount, 'Asks the server of an account for its profile again.', ownPath),
  decided('rotate_keys', rotateKeys, 'Gives a local account new keys, and tells other servers.', ownPath),
  decided('approve', approveAccount, 'Approves a local account that waits for it.'),
  decided('enable', enableAccount, 'Lets a local account sign in again.'),
  decided('unsensitive', unmarkAccountSensitive, 'No longer shows all media of an account as sensitive.'),
  decided('unsilence', unlimitAccount, 'Ends the limits of an account.'),
  decided('unsuspend', unsuspendAccount, 'Ends the suspension of an account by this server.'),
];
