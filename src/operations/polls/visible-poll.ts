/** The poll that an operation is about: the status that it stands in, as far as the caller may see it. */
import { Account } from '../../actors/account/account.messages.ts';
import { pollLimits } from '../../actors/account/polls/limits.ts';
import type { StatusView } from '../../actors/account/statuses/statuses.queries.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import { flowOfHost, type Services } from '../../services/services.ts';
import { visibleOriginal } from '../statuses/originals.ts';

/** Throws Failure notFound for a poll that does not exist or that the viewer may not see (specification 5). */
export function visiblePoll(services: Services, pollId: Id, viewerId: Id | undefined): StatusView {
  const view = visibleOriginal(services, pollId, viewerId);
  if (view.status.poll === undefined) throw new Failure('notFound');
  return view;
}

/** Has the server of a remote poll asked for it, in the background: whoever looks again sees what it says. */
export function refreshPollWhenOld({ client, now }: Services, { status, author, tally }: StatusView): void {
  const { domain } = author.profile;
  const { refreshMilliseconds: ageMilliseconds } = pollLimits;
  if (domain === undefined || tally === undefined || (tally.refreshedAt ?? 0) > now() - ageMilliseconds) return;
  // Its totals were asked for after its end: they change no more.
  if (tally.isClosed && (tally.refreshedAt ?? 0) > (status.poll?.expiresAt ?? 0)) return;
  const message = Account.refreshPoll.to(status.accountId, { statusId: status.id, ageMilliseconds });
  // Whoever comes next tries again.
  client.call(message, flowOfHost(domain)).catch(() => undefined);
}
