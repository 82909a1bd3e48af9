/** Promotes and demotes a local account by one step, from user to moderator to admin and back (specification section 5). */
import { z } from 'zod';
import type { Role } from '../../actors/account/profile/profile.records.ts';
import { heldRole } from '../../actors/roles.queries.ts';
import { validationFailure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import { operation } from '../operation.ts';
import { changeRole } from './change-role.ts';
import { accountName, subordinate } from './local-account.ts';

const steps = ['user', 'moderator', 'admin'] as const satisfies readonly Role[];

function stepRole(by: 1 | -1, refusal: string) {
  return operation({
    input: z.object({ account: accountName }),
    permission: 'manageRoles',
    audit: { nothing: 'the change of the role writes it' },
    on: subordinate,
    /** Throws Failure notFound, forbidden for an equal or better, and validation at the end of the steps. */
    async run(context, _given, { id: account, login }): Promise<void> {
      const { snapshots } = context.services;
      const { builtIn = 'owner' } = heldRole(snapshots, login);
      const role = builtIn === 'owner' ? undefined : steps[steps.indexOf(builtIn) + by];
      if (role === undefined) throw validationFailure(refusal);
      await changeRole(context, { account: account satisfies Id, role });
    },
  });
}

export const promoteAccount = stepRole(1, 'There is no higher role that is given step by step.');
export const demoteAccount = stepRole(-1, 'There is no lower role.');
