/**
 * An account appeals against a strike, once and for a while, and staff decide about it (behaviour of the Mastodon API). An
 * approved appeal takes back what was done, but not what was deleted.
 */
import type { BodyOf } from '../../../runtime/contract.ts';
import { Failure, validationFailure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { recordAudit } from '../../audit.state.ts';
import { reachesFollowers } from '../../policy/visibility.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { factsOf, storeDecision } from '../local/store-decision.ts';
import { sendMail } from '../mail/send-mail.ts';
import { notificationLimits } from '../notifications/limits.ts';
import type { Appeal, KeptWarning, WarningAction } from '../notifications/notifications.records.ts';
import { reviseWarning } from '../notifications/revise-warning.ts';
import { deliverStatus } from '../statuses/deliver-status.ts';
import { timeOfEdit } from '../statuses/edit-status.ts';
import { reviseStatus } from '../statuses/revise-status.ts';
import { statuses } from '../statuses/statuses.state.ts';
import { appealKey, appeals } from './appeals.state.ts';
import { type Changes, changed, ownState } from './change-standing.ts';
import type { moderationMessages } from './moderation.messages.ts';
import { findWarning } from './warnings.queries.ts';
import { warnings } from './warnings.state.ts';

export function appeal(
  turn: AccountTurn,
  { strikeId, text, staffIds }: BodyOf<typeof moderationMessages.appeal>,
): { appealId: Id } {
  const { key: accountId } = turn.self;
  const strike = strikeOf(turn, strikeId);
  if (strike.appeal !== undefined)
    throw validationFailure('There is an appeal against this already', { reason: 'appealedAlready' });
  if (turn.now > strike.createdAt + notificationLimits.appealMilliseconds)
    throw validationFailure('This was too long ago', { reason: 'appealTooLate' });
  const appealId = turn.nextId();
  storeAppeal(turn, strikeId, strike, { appealId, text, at: turn.now });
  for (const staffId of staffIds)
    turn.tell(Account.mail.to(staffId, { content: { kind: 'appeal', accountId, strikeId } }));
  return { appealId };
}

/** What an approval takes back. */
const taken: Readonly<Partial<Record<WarningAction, Changes>>> = {
  disable: { disabled: false },
  sensitive: { sensitized: false },
  silence: { limited: false },
  suspend: { suspended: false },
};

/** Throws conflict where somebody has decided already. */
export function decideAppeal(
  turn: AccountTurn,
  { strikeId, isApproved, statuses: marked, audit }: BodyOf<typeof moderationMessages.decideAppeal>,
): undefined {
  const strike = strikeOf(turn, strikeId);
  const { appeal: pending } = strike;
  if (pending === undefined) throw new Failure('notFound');
  if (pending.decidedAt !== undefined) throw new Failure('conflict');
  turn.delete(appeals, appealKey(pending));
  const by = audit?.accountId === undefined ? {} : { decidedById: audit.accountId };
  storeAppeal(turn, strikeId, strike, { ...pending, decidedAt: turn.now, isApproved, ...by });
  const before = ownState(turn);
  const changes = isApproved ? taken[strike.action] : undefined;
  const after = changes === undefined ? before : changed(turn, before, changes);
  if (changes !== undefined) storeDecision(turn, before, after);
  if (isApproved) for (const one of marked) unmark(turn, one);
  const { username } = before.profile;
  const said = { strike: strike.action, text: pending.text, account: username };
  recordAudit(turn, audit, {
    targetId: pending.appealId,
    name: username,
    before: factsOf(before),
    after: { ...factsOf(after), ...said },
  });
  sendMail(turn, { kind: 'appealDecided', strikeId, isApproved });
}

/** Throws notFound. One of an earlier version is kept from now on. */
function strikeOf(turn: AccountTurn, strikeId: Id): KeptWarning {
  const found = findWarning(turn, turn.self.key, strikeId);
  if (found === undefined) throw new Failure('notFound');
  const { id: _id, ...strike } = found;
  return strike;
}

function storeAppeal(turn: AccountTurn, strikeId: Id, strike: KeptWarning, said: Appeal): void {
  const { key: accountId } = turn.self;
  turn.put(warnings, [accountId, strikeId], { ...strike, appeal: said });
  turn.put(appeals, appealKey(said), { accountId, strikeId });
  reviseWarning(turn, strikeId, said);
}

type Marked = BodyOf<typeof moderationMessages.decideAppeal>['statuses'][number];

/** As if the author had edited it: what is gone, or was marked by its author as well, is left alone. */
function unmark(turn: AccountTurn, { statusId, destinations }: Marked): void {
  const status = turn.get(statuses, [statusId]);
  if (status?.sensitive !== true || status.accountId !== turn.self.key || status.spoilerText !== '') return;
  reviseStatus(turn, status, { ...status, sensitive: false, editedAt: timeOfEdit(status, turn.now) });
  const intent = { kind: 'update', actorId: turn.self.key, activityId: turn.nextId(), statusId } as const;
  deliverStatus(turn, status, intent, { toFollowers: reachesFollowers(status), destinations });
}
