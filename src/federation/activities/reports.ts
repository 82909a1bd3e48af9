/** Reports of remote servers about local accounts (specification 6.2: inbound Flag activities create a report). */
import { findCollection } from '../../actors/account/collections/collections.queries.ts';
import { staffNotifiedOf } from '../../actors/account/profile/staff.queries.ts';
import { findStatusRecord } from '../../actors/account/remote/federation.queries.ts';
import { reportLimits } from '../../actors/account/reports/limits.ts';
import { Domain } from '../../actors/domain/domain.messages.ts';
import { isForEverybody } from '../../actors/policy/visibility.ts';
import type { Id } from '../../runtime/ids.ts';
import type { ActOf } from '../documents/acts.ts';
import { hostOf } from '../documents/values.ts';
import { wasSentToHost } from '../sent-statuses.ts';
import { type Applied, callFor, type Inbound, type Outcome, type Received } from './inbound.ts';
import { resolveStatus } from './resolve-status.ts';

type Report = ActOf<'report'>;

/** One report for each local account that is named, or whose status or collection is. */
export function receiveReport(received: Received, report: Report): Applied {
  const { inbound, actor } = received;
  if (inbound.policy().ofAccount(actor.host, hostOf(actor.uri)).rejectReports) return 'dropped';
  const reported = reportedHere(inbound, report, actor.host);
  return reported.size === 0 ? 'dropped' : file(received, report, reported);
}

async function file(
  received: Received,
  { objects, comment }: Report,
  reported: ReadonlyMap<Id, Reported>,
): Promise<Outcome> {
  const { inbound, actor, stamp } = received;
  const activityUri = stamp.uri ?? objects.join(' ');
  const staffIds = staffNotifiedOf(inbound.snapshots, 'admin.report');
  for (const [targetId, { statusIds, collectionIds }] of reported) {
    const report = {
      targetId,
      statusIds,
      ...(collectionIds.length > 0 && { collectionIds }),
      staffIds,
      ruleIds: [],
      category: 'other' as const,
      comment,
      activityUri,
    };
    await callFor(received, Domain.receiveReport.to(actor.host, { accountId: actor.id, report }));
  }
  return 'done';
}

/** What a report names of one account. */
interface Reported {
  readonly statusIds: Id[];
  readonly collectionIds: Id[];
}

/** By account. Staff are not shown statuses that the reporting server was never sent. */
function reportedHere(inbound: Inbound, { objects, comment }: Report, host: string): Map<Id, Reported> {
  const { accounts, addresses, snapshots } = inbound;
  const reported = new Map<Id, Reported>();
  const of = (accountId: Id): Reported => {
    const known = reported.get(accountId) ?? { statusIds: [], collectionIds: [] };
    reported.set(accountId, known);
    return known;
  };
  for (const uri of objects) {
    const account = addresses.isLocal(uri) ? accounts.find(uri) : undefined;
    if (account !== undefined) of(account.id);
  }
  const named = new Set([...objects, ...addressesIn(comment)].filter((uri) => addresses.isLocal(uri)));
  for (const uri of named) {
    const collectionId = addresses.collectionIdOf(uri);
    const collection = collectionId === undefined ? undefined : findCollection(snapshots, collectionId);
    if (collection?.uri === undefined && collection !== undefined)
      of(collection.accountId).collectionIds.push(collection.id);
    const found = resolveStatus(inbound, uri);
    const status = found?.isLocal === true ? findStatusRecord(snapshots, found.statusId) : undefined;
    if (status === undefined || !(isForEverybody(status) || wasSentToHost(snapshots, status, host))) continue;
    const { statusIds } = of(status.accountId);
    if (statusIds.length < reportLimits.statusesMax) statusIds.push(status.id);
  }
  return reported;
}

/** Misskey names only the account, and writes the addresses of its posts into the comment. */
function addressesIn(comment: string): string[] {
  return comment
    .split(/\s+/)
    .filter((word) => word.startsWith('http'))
    .slice(0, reportLimits.statusesMax);
}
