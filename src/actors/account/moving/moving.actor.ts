/**
 * Moving (specification 6.2): an account refers to a new one, which lists the old one as its alias. Local followers
 * follow the new account, and unfollow this one once that is accepted. Lists are taken over, and so are blocks, mutes
 * and notes of local accounts.
 */

import { type BodyOf, feature } from '../../../runtime/contract.ts';
import { Failure, validationFailure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { Destination } from '../../intents.ts';
import { tellWebhooks } from '../../partition/tell-webhooks.ts';
import { loginChanged } from '../../session/session.events.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { profileChanged } from '../profile/profile.events.ts';
import type { Profile } from '../profile/profile.records.ts';
import { actingAccount, isLocal, ownProfile, putProfile } from '../profile/profile.turn.ts';
import { domainBlockOf } from '../relationships/blocked-domains.state.ts';
import { deliver } from '../relationships/follower-distribution.ts';
import { blockedBy, blocks, followers, following } from '../relationships/relationships.state.ts';
import { followMoved, takeOver } from './follow-along.ts';
import { movingLimits } from './limits.ts';
import { movingMessages } from './moving.messages.ts';
import * as state from './moving.state.ts';
import { explain, remembered, rememberedMoved } from './remember.ts';

const { rememberedBy } = state;

function changeAliases(turn: AccountTurn, { aliasIds }: BodyOf<typeof movingMessages.changeAliases>): undefined {
  if (aliasIds.length > movingLimits.aliasesMax)
    throw validationFailure(`You cannot have more than ${movingLimits.aliasesMax} aliases`, {
      reason: 'tooManyAliases',
      limit: movingLimits.aliasesMax,
    });
  if (aliasIds.includes(turn.self.key)) throw new Failure('forbidden');
  changeOwn(turn, { aliasIds: [...new Set(aliasIds)] });
}

/** Throws forbidden for a move to itself, validation for one too soon after another. */
function move(turn: AccountTurn, message: BodyOf<typeof movingMessages.move>): undefined {
  const { targetId, targetDestination, blockers: destinations = [] } = message;
  const { movedAt } = ownProfile(turn);
  if (targetId === turn.self.key) throw new Failure('forbidden');
  if (movedAt !== undefined && movedAt > turn.now - movingLimits.localRestMilliseconds)
    throw validationFailure('You have moved within the last 30 days', { reason: 'movedLately' });
  changeTarget(turn, { movedTo: targetId, movedAt: turn.now });
  const intent = { kind: 'move', actorId: turn.self.key, activityId: turn.nextId(), targetId } as const;
  deliver(turn, intent, { toFollowers: true, toRelays: true, destinations });
  tellEverybody(turn, targetId, targetDestination);
}

/** The time of the move stays known: the waiting time for the next one is not shortened. */
function cancelMove(turn: AccountTurn): undefined {
  if (ownProfile(turn).movedTo !== undefined) changeTarget(turn, { movedTo: undefined });
}

/** Tokens of an account that has moved are good for less. */
function changeTarget(turn: AccountTurn, change: Pick<Partial<Profile>, 'movedTo' | 'movedAt'>): void {
  changeOwn(turn, change);
  turn.emit(loginChanged, { accountId: turn.self.key });
}

/** Remote followers are informed (specification 6.2: Update to followers). */
function changeOwn(turn: AccountTurn, change: Partial<Profile>): void {
  changeProfile(turn, change);
  const intent = { kind: 'updateAccount', actorId: turn.self.key, activityId: turn.nextId() } as const;
  deliver(turn, intent, { toFollowers: true, toRelays: true, destinations: [] });
}

function changeProfile(turn: AccountTurn, change: Partial<Profile>): void {
  putProfile(turn, { ...ownProfile(turn), ...change, updatedAt: turn.now });
  turn.emit(profileChanged, { accountId: turn.self.key });
  if (isLocal(turn)) tellWebhooks(turn, 'account.updated', turn.self.key);
}

/** Counts once, and not again soon: followers must not be led around. The profile may have named the target before. */
function moved(turn: AccountTurn, { targetId, targetDestination }: BodyOf<typeof movingMessages.moved>): undefined {
  const { movedAt } = ownProfile(turn);
  if (targetId === turn.self.key) return;
  if (movedAt !== undefined && movedAt > turn.now - movingLimits.remoteRestMilliseconds) return;
  changeProfile(turn, { movedTo: targetId, movedAt: turn.now });
  tellEverybody(turn, targetId, targetDestination);
}

function tellEverybody(turn: AccountTurn, targetId: Id, targetDestination: Destination | undefined): void {
  const { by: formerId, byDestination: formerDestination } = actingAccount(turn);
  const { username, domain } = ownProfile(turn);
  const formerAcct = domain === undefined ? `@${username}` : `@${username}@${domain}`;
  const told = { formerId, formerDestination, targetId, targetDestination, formerAcct };
  turn.tell(Account.tellOfMove.to(formerId, { ...told, to: tellingOrder[0] }));
}

/** Followers last: what mutes do depends on who was followed before. */
const tellingOrder = ['rememberers', 'blockers', 'followers'] as const;

const tellingOf = {
  rememberers: { slice: rememberers, message: Account.rememberedMoved },
  blockers: { slice: blockers, message: Account.blockedMoved },
  followers: { slice: localFollowers, message: Account.followedMoved },
} as const;

function tellOfMove(turn: AccountTurn, message: BodyOf<typeof movingMessages.tellOfMove>): undefined {
  const { to, after, ...told } = message;
  const { toldPerTurn: limit } = movingLimits;
  const from = after === undefined ? undefined : after + 1n;
  const { message: telling, slice: sliceOf } = tellingOf[to];
  const slice = sliceOf(turn, from, limit);
  for (const { id, isTold } of slice) if (isTold) turn.tell(telling.to(id, told));
  const next = tellingOrder[tellingOrder.indexOf(to) + 1];
  if (slice.length === limit) turn.tell(Account.tellOfMove.to(turn.self.key, { ...message, after: slice.at(-1)!.id }));
  else if (next !== undefined) turn.tell(Account.tellOfMove.to(turn.self.key, { ...told, to: next }));
}

interface Told {
  readonly id: Id;
  readonly isTold: boolean;
}

/** Remote followers are informed by their own servers. */
function localFollowers(turn: AccountTurn, from: Id | undefined, limit: number): Told[] {
  return Array.from(turn.range(followers, [turn.self.key], { from, limit }), ({ key, value }) => ({
    id: key[1],
    isTold: value.destination === undefined,
  }));
}

function rememberers(turn: AccountTurn, from: Id | undefined, limit: number): Told[] {
  return everyone(turn.range(rememberedBy, [turn.self.key], { from, limit }));
}

function blockers(turn: AccountTurn, from: Id | undefined, limit: number): Told[] {
  return everyone(turn.range(blockedBy, [turn.self.key], { from, limit }));
}

function everyone(entries: Iterable<{ readonly key: readonly [Id, Id] }>): Told[] {
  return Array.from(entries, ({ key }) => ({ id: key[1], isTold: true }));
}

function followedMoved(turn: AccountTurn, message: BodyOf<typeof movingMessages.followedMoved>): undefined {
  if (!isLocal(turn) || isUnwelcome(turn, message.targetId, message.targetDestination)) return;
  followMoved(turn, message);
}

function isUnwelcome(turn: AccountTurn, targetId: Id, destination: Destination | undefined): boolean {
  const key: [Id, Id] = [turn.self.key, targetId];
  if (turn.get(blocks, key) !== undefined || turn.get(blockedBy, key) !== undefined) return true;
  return destination !== undefined && turn.get(domainBlockOf, [turn.self.key, destination.host]) !== undefined;
}

/** An account that is followed on purpose stays followed. */
function blockedMoved(turn: AccountTurn, message: BodyOf<typeof movingMessages.blockedMoved>): undefined {
  const { formerId, targetId, targetDestination, formerAcct = '' } = message;
  const accountId = turn.self.key;
  if (!isLocal(turn) || targetId === accountId || turn.get(blocks, [accountId, formerId]) === undefined) return;
  if (turn.get(blocks, [accountId, targetId]) !== undefined) return;
  if (turn.get(following, [accountId, targetId]) !== undefined) return;
  turn.tell(Account.block.to(accountId, { targetId, targetDestination }));
  explain(turn, targetId, `Moved here from ${formerAcct}, whom you blocked.`);
}

function followReplaced(turn: AccountTurn, message: BodyOf<typeof movingMessages.followReplaced>): undefined {
  takeOver(turn, message);
}

export const movingFeature = feature<AccountTurn>()({
  messages: movingMessages,
  handlers: {
    ...{ changeAliases, move, cancelMove, moved, tellOfMove, followedMoved, blockedMoved, followReplaced },
    ...{ remembered, rememberedMoved },
  },
  state: [state],
  rules: state.movingRules,
});
