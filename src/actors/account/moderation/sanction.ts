/**
 * A decision of staff about an account, with the strike that the account sees (behaviour of the Mastodon API), and the end
 * of one.
 */
import type { BodyOf } from '../../../runtime/contract.ts';
import { Failure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { recordAudit } from '../../audit.state.ts';
import type { AccountTurn } from '../account.turn.ts';
import { type AccountState, factsOf, storeDecision } from '../local/store-decision.ts';
import { sendMail } from '../mail/send-mail.ts';
import { tellChanges } from '../mail/tell-changes.ts';
import { notificationLimits } from '../notifications/limits.ts';
import type { Warning, WarningAction } from '../notifications/notifications.records.ts';
import { notifications } from '../notifications/notifications.state.ts';
import { addNotification } from '../notifications/notify.ts';
import { logins } from '../profile/profile.state.ts';
import { ownProfile } from '../profile/profile.turn.ts';
import { appealKey, appeals } from './appeals.state.ts';
import { type Changes, changed, ownState } from './change-standing.ts';
import type { moderationMessages } from './moderation.messages.ts';
import { warnings } from './warnings.state.ts';

/** What each action makes of the account. */
const changesOf: Readonly<Partial<Record<WarningAction, Changes>>> = {
  disable: { disabled: true },
  sensitive: { sensitized: true },
  silence: { limited: true },
  suspend: { suspended: true },
};

export function sanction(
  turn: AccountTurn,
  { audit, tells, ...strike }: BodyOf<typeof moderationMessages.sanction>,
): { strikeId: Id } {
  const before = ownState(turn);
  const changes = changesOf[strike.action];
  const after = changes === undefined ? before : changed(turn, before, changes);
  if (changes !== undefined && isSame(before, after)) throw new Failure('conflict');
  const strikeId = keepStrike(turn, strike, tells);
  if (changes !== undefined) storeDecision(turn, before, after);
  const { text } = strike;
  recordAudit(turn, audit, {
    targetId: turn.self.key,
    name: before.profile.username,
    before: factsOf(before),
    after: { ...factsOf(after), ...(text !== '' && { text }), ...postsOf(strike) },
  });
  return { strikeId };
}

function postsOf({ statusIds = [] }: Pick<Warning, 'statusIds'>) {
  return statusIds.length === 0 ? {} : { posts: statusIds.join(', ') };
}

/** Earlier versions sent it. */
export function warn(turn: AccountTurn, message: BodyOf<typeof moderationMessages.warn>): undefined {
  if (turn.get(logins, [turn.self.key]) === undefined) throw new Failure('notFound');
  if (ownProfile(turn).suspendedAt !== undefined) throw new Failure('forbidden');
  sanction(turn, { ...message, tells: true });
}

export function changeStanding(
  turn: AccountTurn,
  { audit, ...changes }: BodyOf<typeof moderationMessages.changeStanding>,
): undefined {
  const before = ownState(turn);
  const after = changed(turn, before, changes);
  storeDecision(turn, before, after);
  if (before.login !== undefined && after.login !== undefined)
    tellChanges(turn, { ...before, login: before.login }, { ...after, login: after.login });
  recordAudit(turn, audit, {
    targetId: turn.self.key,
    name: before.profile.username,
    before: factsOf(before),
    after: factsOf(after),
  });
}

/** A suspension by its own server is none by staff, and neither is what a rule for its server does. */
function isSame(before: AccountState, after: AccountState): boolean {
  const [was, is] = [factsOf(before), factsOf(after)];
  if (before.profile.dataKeptUntil !== after.profile.dataKeptUntil) return false;
  if (before.profile.byDomain?.wasLimited !== after.profile.byDomain?.wasLimited) return false;
  return Object.entries(was).every(([name, value]) => is[name as keyof typeof is] === value);
}

/** The strike has the id of the notification that brings it, where there is one. */
export function keepStrike(turn: AccountTurn, strike: Warning, tells: boolean): Id {
  const { key } = turn.self;
  const cause = { type: 'moderation_warning', fromId: key, warning: strike } as const;
  const isTold = tells && addNotification(turn, cause) === 'accept';
  const strikeId = (isTold ? newestNotification(turn) : undefined) ?? turn.nextId();
  turn.put(warnings, [key, strikeId], { ...strike, createdAt: turn.now });
  const excess = newestOf(turn).slice(notificationLimits.warningsKeptMax);
  for (const former of excess) forgetStrike(turn, former);
  if (tells) sendMail(turn, { kind: 'warned', text: strike.text, action: strike.action, strikeId });
  return strikeId;
}

function forgetStrike(turn: AccountTurn, strikeId: Id): void {
  const { appeal } = turn.get(warnings, [turn.self.key, strikeId]) ?? {};
  if (appeal !== undefined) turn.delete(appeals, appealKey(appeal));
  turn.delete(warnings, [turn.self.key, strikeId]);
}

function newestNotification(turn: AccountTurn): Id | undefined {
  for (const { key } of turn.range(notifications, [turn.self.key], { reverse: true, limit: 1 })) return key[1];
  return undefined;
}

function newestOf(turn: AccountTurn): Id[] {
  const newest = { reverse: true, limit: notificationLimits.warningsKeptMax + 1 };
  return Array.from(turn.range(warnings, [turn.self.key], newest), ({ key }) => key[1]);
}
