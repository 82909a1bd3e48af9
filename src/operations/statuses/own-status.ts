/** A status of the user's own, and where the outside has heard of it. */

import type { StatusView } from '../../actors/account/statuses/statuses.queries.ts';
import type { Status } from '../../actors/account/statuses/statuses.records.ts';
import type { Destination } from '../../actors/intents.ts';
import { isForEverybody } from '../../actors/policy/visibility.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import { destinationsOfAccounts } from '../destinations.ts';
import { visibleStatus } from './visible-status.ts';

/** Throws notFound for any other: neither is told whether it exists, nor may staff act on it here. */
export function ownStatus(services: Services, statusId: Id, accountId: Id): StatusView {
  const view = visibleStatus(services, statusId, accountId);
  if (view.status.accountId !== accountId) throw new Failure('notFound');
  return view;
}

/** The remote accounts, beside followers, to which a status went: those mentioned and, where all may read it, answered. */
export function destinationsOfStatus(services: Services, status: Status): Destination[] {
  const { mentions, inReplyToAccountId } = status;
  const concerned = new Set(mentions.map(({ id }) => id));
  if (isForEverybody(status) && inReplyToAccountId !== undefined) concerned.add(inReplyToAccountId);
  return destinationsOfAccounts(services.snapshots, [...concerned]);
}
