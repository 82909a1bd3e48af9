/** Reports of other servers about accounts of this one (specification 6.2: inbound Flag activities create a report). */
import { findStatusRecord } from '../../actors/account/remote/federation.queries.ts';
import { reportLimits } from '../../actors/account/reports/limits.ts';
import { Domain } from '../../actors/domain/domain.messages.ts';
import { isForEverybody } from '../../actors/policy/visibility.ts';
import type { Id } from '../../runtime/ids.ts';
import { flowOfHost } from '../../services/services.ts';
import type { Act } from '../documents/read-activity.ts';
import type { KnownAccount } from '../known-accounts.ts';
import { wasSentToHost } from '../sent-statuses.ts';
import type { Applied, Inbound, Outcome, Stamp } from './inbound.ts';
import { resolveStatus } from './resolve-status.ts';

type Report = Extract<Act, { kind: 'report' }>;

/** One report for each local account that is named, or whose status is. */
export function receiveReport(inbound: Inbound, report: Report, { uri }: Stamp, actor: KnownAccount): Applied {
  const reported = reportedHere(inbound, report, actor.host);
  if (reported.size === 0) return 'dropped';
  return file(inbound, report, uri ?? report.objects.join(' '), actor, reported);
}

async function file(
  { client }: Inbound,
  { comment }: Report,
  activityUri: string,
  actor: KnownAccount,
  reported: ReadonlyMap<Id, readonly Id[]>,
): Promise<Outcome> {
  for (const [targetId, statusIds] of reported) {
    const report = {
      targetId,
      statusIds: [...statusIds],
      ruleIds: [],
      category: 'other' as const,
      comment,
      activityUri,
    };
    await client.call(Domain.receiveReport.to(actor.host, { accountId: actor.id, report }), flowOfHost(actor.host));
  }
  return 'done';
}

/** The accounts with their statuses. Staff are shown no status that the reporting server was never sent. */
function reportedHere(inbound: Inbound, { objects, comment }: Report, host: string): Map<Id, Id[]> {
  const { accounts, addresses, snapshots } = inbound;
  const reported = new Map<Id, Id[]>();
  for (const uri of objects) {
    const account = addresses.isLocal(uri) ? accounts.find(uri) : undefined;
    if (account !== undefined) reported.set(account.id, []);
  }
  const named = new Set([...objects, ...addressesIn(comment)].filter((uri) => addresses.isLocal(uri)));
  for (const uri of named) {
    const found = resolveStatus(inbound, uri);
    const status = found?.isLocal === true ? findStatusRecord(snapshots, found.statusId) : undefined;
    if (status === undefined || !(isForEverybody(status) || wasSentToHost(snapshots, status, host))) continue;
    const statusIds = reported.get(status.accountId) ?? [];
    if (statusIds.length < reportLimits.statusesMax) statusIds.push(status.id);
    reported.set(status.accountId, statusIds);
  }
  return reported;
}

/** Misskey names the account alone, and writes the addresses of its posts into the comment. */
function addressesIn(comment: string): string[] {
  return comment
    .split(/\s+/)
    .filter((word) => word.startsWith('http'))
    .slice(0, reportLimits.statusesMax);
}
