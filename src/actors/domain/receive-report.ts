/** Reports of other servers, limited per host and day, so that no server can flood this server's staff. */
import type { BodyOf, DelegatedReply } from '../../runtime/contract.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Turn } from '../../runtime/partition/turn.ts';
import { Account } from '../account/account.messages.ts';
import { reportLimits } from '../account/reports/limits.ts';
import { dayOf } from '../session/session.messages.ts';
import type { Domain } from './domain.messages.ts';
import { reportCounts } from './domain.state.ts';

export function receiveReport(
  turn: Turn<string>,
  { accountId, report }: BodyOf<typeof Domain.receiveReport>,
): DelegatedReply {
  const day = dayOf(turn.now);
  const before = turn.get(reportCounts, [turn.self.key]);
  const count = (before?.day === day ? before.count : 0) + 1;
  if (count > reportLimits.perHostAndDayMax) throw new Failure('forbidden');
  turn.put(reportCounts, [turn.self.key], { day, count });
  return turn.delegateReply(Account.fileReport.to(accountId, report));
}
