/** The history of sign-ins to a local account, newest first. */
import { identifier } from '../../actors/account/account.records.ts';
import { findLocalAccount } from '../../actors/account/profile/logins.queries.ts';
import { type StoredSignIn, signInsOf } from '../../actors/account/sign-ins/sign-ins.queries.ts';
import type { Page } from '../../actors/pages.ts';
import { Failure } from '../../runtime/errors.ts';
import { reads } from '../audit.ts';
import { operation } from '../operation.ts';
import { pageInput } from './domain-blocks.ts';

export const listSignIns = operation({
  input: pageInput.extend({ accountId: identifier }),
  permission: 'manageUsers',
  audit: reads,
  /** Throws Failure notFound for an account that is not local. */
  run({ services }, { accountId, ...bounds }): Page<StoredSignIn> {
    if (findLocalAccount(services.snapshots, accountId) === undefined) throw new Failure('notFound');
    return signInsOf(services.snapshots, accountId, bounds);
  },
});
