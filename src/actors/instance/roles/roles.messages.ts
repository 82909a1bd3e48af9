/** Roles that staff add. Message numbers 513 to 515 of the instance. */
import { z } from 'zod';
import { call } from '../../../runtime/contract.ts';
import { identifier } from '../../account/account.records.ts';
import { audited } from '../../audit.records.ts';
import { RoleContent } from './roles.records.ts';

const named = z.object({ roleId: identifier });

export const roleMessages = {
  /** Throws Failure validation above the bound. */
  addRole: call(513, RoleContent.extend(audited), named),
  /** Throws Failure notFound, as the next one does. */
  editRole: call(514, named.extend({ content: RoleContent, ...audited }), z.undefined()),
  removeRole: call(515, named.extend(audited), z.undefined()),
};
