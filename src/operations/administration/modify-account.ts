/** Several decisions about a local account at once, for the command line; each is an operation of its own. */
import { z } from 'zod';
import { Role } from '../../actors/account/profile/profile.records.ts';
import { validationFailure } from '../../runtime/errors.ts';
import { operation } from '../operation.ts';
import { approveAccount, confirmAccount } from './admit-account.ts';
import { changeRole } from './change-role.ts';
import { checkPassword } from './checked-password.ts';
import { disableAccount, enableAccount } from './disable-account.ts';
import { limitAccount, unlimitAccount } from './limit-account.ts';
import { namedAccount } from './local-account.ts';
import { resetPassword } from './reset-password.ts';
import { suspendAccount, unsuspendAccount } from './suspend-account.ts';

const decided = z.boolean().optional();

export const modifyAccount = operation({
  input: z.object({
    username: z.string(),
    password: z.string().optional(),
    role: Role.optional(),
    confirmed: z.literal(true).optional(),
    approved: z.literal(true).optional(),
    suspended: decided,
    disabled: decided,
    limited: decided,
  }),
  permission: 'operateMachine',
  audit: { nothing: 'each of its decisions writes an entry of its own' },
  /** Throws Failure notFound, and validation for nothing to change or an unacceptable password. Then nothing is changed. */
  async run(context, { username, password, role, ...wanted }): Promise<void> {
    const { id: account } = namedAccount(context.services, username);
    if (password !== undefined) checkPassword(password);
    const decisions = [
      wanted.confirmed && confirmAccount,
      wanted.approved && approveAccount,
      chosen(wanted.suspended, suspendAccount, unsuspendAccount),
      chosen(wanted.disabled, disableAccount, enableAccount),
      chosen(wanted.limited, limitAccount, unlimitAccount),
    ].filter((decision) => decision !== undefined);
    if (decisions.length === 0 && password === undefined && role === undefined)
      throw validationFailure('Nothing was asked to be changed.');
    // First, because it may be refused.
    if (role !== undefined) await changeRole(context, { account, role });
    for (const decide of decisions) await decide(context, { account });
    if (password !== undefined) await resetPassword(context, { account, password });
  },
});

function chosen<Choice>(is: boolean | undefined, yes: Choice, no: Choice): Choice | undefined {
  return is === undefined ? undefined : is ? yes : no;
}
