/** The list of the caller in a request, and the rules for its title. */

import { listLimits } from '../../actors/account/lists/limits.ts';
import { findList, type StoredList } from '../../actors/account/lists/lists.queries.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import type { AccountCaller } from '../caller.ts';
import type { OperationContext } from '../operation.ts';
import { blank, refuseFields, tooLong } from '../refused-fields.ts';

/** Throws Failure notFound for another account's list. */
export function ownList({ snapshots }: Pick<Services, 'snapshots'>, accountId: Id, listId: Id): StoredList {
  const list = findList(snapshots, listId);
  if (list === undefined || list.accountId !== accountId) throw new Failure('notFound');
  return list;
}

/** The same, for `on`. */
export function onOwnList(
  { caller, services }: OperationContext<AccountCaller>,
  { listId }: { listId: Id },
): StoredList {
  return ownList(services, caller.accountId, listId);
}

/** Throws FieldsRefused. */
export function checkTitle(title: string | undefined): void {
  if (title === undefined) return;
  const { titleCharactersMax } = listLimits;
  refuseFields({
    title: [
      ...(title.trim() === '' ? [blank] : []),
      ...(title.length > titleCharactersMax ? [tooLong(titleCharactersMax)] : []),
    ],
  });
}
