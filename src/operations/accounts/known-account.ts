/** The account that an operation is about. */
import { type AccountView, findPublicAccount } from '../../actors/account/profile/profiles.queries.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';

/** Throws Failure notFound for an account that is unknown here, or waits for approval. */
export function knownAccount({ snapshots }: Pick<Services, 'snapshots'>, accountId: Id): AccountView {
  const account = findPublicAccount(snapshots, accountId);
  if (account === undefined) throw new Failure('notFound');
  return account;
}
