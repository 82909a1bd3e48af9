/** What may be decided about an account on its page, and what its buttons do. */
import { findLogin } from '../../../../actors/account/profile/logins.queries.ts';
import type { AccountView } from '../../../../actors/account/profile/profiles.queries.ts';
import { approveAccount, confirmAccount } from '../../../../operations/administration/admit-account.ts';
import { changeAccountEmail } from '../../../../operations/administration/change-account-email.ts';
import { changeRole } from '../../../../operations/administration/change-role.ts';
import { disableAccount, enableAccount } from '../../../../operations/administration/disable-account.ts';
import { disableTwoFactor } from '../../../../operations/administration/disable-two-factor.ts';
import { endEmailSubscriptions } from '../../../../operations/administration/end-email-subscriptions.ts';
import { endSessions, forceNewPassword } from '../../../../operations/administration/end-sessions.ts';
import { limitAccount, unlimitAccount } from '../../../../operations/administration/limit-account.ts';
import {
  markAccountSensitive,
  unmarkAccountSensitive,
} from '../../../../operations/administration/mark-account-sensitive.ts';
import { memorializeAccount } from '../../../../operations/administration/memorialize-account.ts';
import { refetchAccount } from '../../../../operations/administration/refetch-account.ts';
import {
  rejectAccount,
  removeAccountData,
  removePictures,
} from '../../../../operations/administration/remove-account.ts';
import { suspendAccount, unsuspendAccount } from '../../../../operations/administration/suspend-account.ts';
import { unblockAccountEmail } from '../../../../operations/administration/unblock-email.ts';
import { warnAccount } from '../../../../operations/administration/warn-account.ts';
import { rotateKeys } from '../../../../operations/keys/rotate-keys.ts';
import type { StaffPermission } from '../../../../operations/permissions.ts';
import type { Id } from '../../../../runtime/ids.ts';
import type { Done } from '../lists/listed-page.ts';
import type { StaffForm, StaffVisit } from '../visitor.ts';

interface DecisionKind {
  readonly decide: typeof warnAccount;
  readonly isForRemote: boolean;
  /** Whether it is so already. */
  isDone(visit: StaffVisit, account: AccountView): boolean;
}

/** The mildest first, with the names of their strikes. */
export const accountDecisions = {
  none: { decide: warnAccount, isForRemote: false, isDone: () => false },
  sensitive: {
    decide: markAccountSensitive,
    isForRemote: true,
    isDone: (_visit, { profile }) => profile.sensitized === true,
  },
  disable: {
    ...{ decide: disableAccount, isForRemote: false },
    isDone: ({ services }, { profile }) => findLogin(services.snapshots, profile.id)?.disabled === true,
  },
  silence: { decide: limitAccount, isForRemote: true, isDone: (_visit, { profile }) => profile.limited },
  suspend: {
    decide: suspendAccount,
    isForRemote: true,
    isDone: (_visit, { profile }) => profile.suspendedAt !== undefined,
  },
} as const satisfies Record<string, DecisionKind>;
export type AccountDecision = keyof typeof accountDecisions;

interface Button {
  readonly operation: { readonly permission: StaffPermission };
  readonly done: Done;
  run(form: StaffForm, account: Id): Promise<unknown>;
}

type Decide = {
  (visit: StaffVisit, input: { readonly account: Id }): Promise<unknown>;
  readonly permission: StaffPermission;
};

function plain(operation: Decide, done: Done): Button {
  return { operation, done, run: ({ visit }, account) => operation(visit, { account }) };
}

const picture = (which: 'avatar' | 'header'): Button => ({
  ...{ operation: removePictures, done: 'picturesRemoved' },
  run: ({ visit }, account) => removePictures(visit, { account, pictures: [which] }),
});

/** By the last part of the address of their forms. */
export const buttons = {
  approve: plain(approveAccount, 'accountApproved'),
  reject: plain(rejectAccount, 'accountRejected'),
  confirm: plain(confirmAccount, 'accessChanged'),
  enable: plain(enableAccount, 'takenBack'),
  unsensitive: plain(unmarkAccountSensitive, 'takenBack'),
  unlimit: plain(unlimitAccount, 'takenBack'),
  unsuspend: plain(unsuspendAccount, 'takenBack'),
  remove: plain(removeAccountData, 'dataRemoved'),
  'sign-out': plain(endSessions, 'accessChanged'),
  password: plain(forceNewPassword, 'accessChanged'),
  'two-factor': plain(disableTwoFactor, 'accessChanged'),
  'email-subscriptions': plain(endEmailSubscriptions, 'accessChanged'),
  keys: plain(rotateKeys, 'accessChanged'),
  'unblock-email': plain(unblockAccountEmail, 'accessChanged'),
  memorialize: plain(memorializeAccount, 'accessChanged'),
  refetch: plain(refetchAccount, 'accountAsked'),
  avatar: picture('avatar'),
  header: picture('header'),
  email: {
    operation: changeAccountEmail,
    done: 'addressAsked',
    run: ({ visit, fields }, account) => changeAccountEmail(visit, { account, email: fields.get('email') ?? '' }),
  },
  role: {
    operation: changeRole,
    done: 'accessChanged',
    run: ({ visit, fields }, account) => changeRole(visit, { account, role: fields.get('role') ?? '' }),
  },
} as const satisfies Record<string, Button>;
export type ButtonName = keyof typeof buttons;
