/** Several decisions about an account at once, for the command line; each is an operation of its own. */
import { z } from 'zod';
import { validationFailure } from '../../runtime/errors.ts';
import { operation } from '../operation.ts';
import { approveAccount, confirmAccount } from './admit-account.ts';
import { changeAccountEmail } from './change-account-email.ts';
import { changeRole, roleName } from './change-role.ts';
import { checkPassword } from './checked-password.ts';
import { disableAccount, enableAccount } from './disable-account.ts';
import { limitAccount, unlimitAccount } from './limit-account.ts';
import { sanctionable } from './local-account.ts';
import { markAccountSensitive, unmarkAccountSensitive } from './mark-account-sensitive.ts';
import { memorializeAccount } from './memorialize-account.ts';
import { resetPassword } from './reset-password.ts';
import { suspendAccount, unsuspendAccount } from './suspend-account.ts';

const decided = z.boolean().optional();

export const modifyAccount = operation({
  input: z.object({
    username: z.string(),
    password: z.string().optional(),
    email: z.string().optional(),
    role: roleName.optional(),
    confirmed: z.literal(true).optional(),
    approved: z.literal(true).optional(),
    suspended: decided,
    disabled: decided,
    limited: decided,
    sensitized: decided,
    memorial: z.literal(true).optional(),
    /** What it is told of what is done to it. */
    text: z.string().optional(),
  }),
  permission: 'operateMachine',
  audit: { nothing: 'each of its decisions writes an entry of its own' },
  /** Throws Failure notFound, and validation for nothing to change or an unacceptable password. Then nothing is changed. */
  async run(context, { username, password, email, role, text, ...wanted }): Promise<void> {
    const { id: account, login } = sanctionable(context, { account: username });
    if (password !== undefined) checkPassword(password);
    const decisions = [
      wanted.confirmed && confirmAccount,
      // Repeating it here changes nothing.
      wanted.approved && login?.approved !== true ? approveAccount : undefined,
      chosen(wanted.suspended, suspendAccount, unsuspendAccount),
      chosen(wanted.disabled, disableAccount, enableAccount),
      chosen(wanted.limited, limitAccount, unlimitAccount),
      wanted.memorial && memorializeAccount,
      chosen(wanted.sensitized, markAccountSensitive, unmarkAccountSensitive),
    ].filter((decision) => decision !== undefined);
    const isAsked = [password, email, role, wanted.approved].some((one) => one !== undefined);
    if (decisions.length === 0 && !isAsked) throw validationFailure('Nothing was asked to be changed.');
    // First, because it may be refused.
    if (role !== undefined) await changeRole(context, { account, role });
    for (const decide of decisions) await decide(context, { account, ...(text !== undefined && { text }) });
    if (email !== undefined) await changeAccountEmail(context, { account, email });
    if (password !== undefined) await resetPassword(context, { account, password });
  },
});

function chosen<Choice>(is: boolean | undefined, yes: Choice, no: Choice): Choice | undefined {
  return is === undefined ? undefined : is ? yes : no;
}
