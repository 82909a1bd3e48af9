/** The history of sign-ins to a local account, newest first. */
import { type StoredSignIn, signInsOf } from '../../actors/account/sign-ins/sign-ins.queries.ts';
import type { Page } from '../../actors/pages.ts';
import { reads } from '../audit.ts';
import { operation } from '../operation.ts';
import { pageInput } from './domain-blocks.ts';
import { accountName, localAccount } from './local-account.ts';

export const listSignIns = operation({
  input: pageInput.extend({ account: accountName }),
  permission: 'manageUsers',
  audit: reads,
  /** Throws Failure notFound for an account that is not local. */
  run: ({ services }, { account, ...bounds }): Page<StoredSignIn> =>
    signInsOf(services.snapshots, localAccount(services, account).id, bounds),
});
