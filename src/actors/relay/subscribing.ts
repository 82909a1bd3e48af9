/**
 * Who subscribes to the relay. There is one subscription for each host, because a server speaks for all its accounts.
 * Every answer to a Follow repeats it as received: servers recognise it by its id.
 */
import type { BodyOf } from '../../runtime/contract.ts';
import { Failure, validationFailure } from '../../runtime/errors.ts';
import { slotOfKey } from '../../runtime/ids.ts';
import type { Turn } from '../../runtime/partition/turn.ts';
import { recordAudit } from '../audit.state.ts';
import { type Intent, relayActorId } from '../intents.ts';
import { PartitionActor } from '../partition/partition.messages.ts';
import { relayLimits } from './limits.ts';
import { subscriptionChanged } from './relay.events.ts';
import { type Relay, relayKey, type SubscriptionMode } from './relay.messages.ts';
import type { Follower, Subscription, SubscriptionState } from './relay.records.ts';
import { relayLanes, relayStates, subscriptionNumbers, subscriptions } from './relay.state.ts';
import { stateOf } from './relayed-log.ts';

type RelayTurn = Turn<string>;

const refusal = {
  staff: 'The staff of this relay have refused your server.',
  notListed: 'Only servers that the staff of this relay have listed may subscribe.',
  removed: 'The staff of this relay have removed your server.',
  full: 'This relay has as many subscribers as it can have.',
} as const;

export function follow(
  turn: RelayTurn,
  { host, follower, mode }: BodyOf<typeof Relay.follow>,
): { state?: SubscriptionState } {
  const before = turn.get(subscriptions, [relayKey, host]);
  const state = stateAfterFollow(before, follower, mode);
  const reason = before === undefined && state !== undefined && isFull(turn) ? refusal.full : undefined;
  if (reason !== undefined || state === undefined) {
    answer(turn, { host, follower, isAccepted: false, reason: reason ?? refusal.notListed });
    return {};
  }
  if (state === 'refused') answer(turn, { host, follower, isAccepted: false, reason: refusal.staff });
  // Another software may run there by now: its signatures are tried anew.
  const subscription = { ...(before ?? created(turn, host)), follower, takesShared: undefined };
  // A Follow that is repeated, because its answer was lost, is answered again.
  if (state === 'active' || state === 'confirming') accept(turn, subscription, state);
  else store(turn, { ...subscription, state });
  return { state };
}

function stateAfterFollow(
  before: Subscription | undefined,
  { form }: Follower,
  mode: SubscriptionMode,
): SubscriptionState | undefined {
  if (before?.state === 'refused') return 'refused';
  const isAdmitted = before !== undefined && before.state !== 'pending';
  if (!isAdmitted && mode !== 'open') return mode === 'approval' ? 'pending' : before && 'pending';
  if (form === 'public') return 'active';
  // Who has confirmed the relay's own Follow need not do it again.
  return before?.state === 'active' && before.follower?.form === 'actor' ? 'active' : 'confirming';
}

export function refuse(turn: RelayTurn, { host, follower, reason }: BodyOf<typeof Relay.refuse>): undefined {
  answer(turn, { host, follower, isAccepted: false, reason });
}

export function leave(turn: RelayTurn, { host }: BodyOf<typeof Relay.leave>): undefined {
  const before = turn.get(subscriptions, [relayKey, host]);
  // What staff have decided stays.
  if (before === undefined || before.state === 'refused') return;
  // Otherwise it goes on announcing to a relay that takes nothing from it.
  if (before.follower?.form === 'actor' && before.state !== 'pending') followBack(turn, before, 'unfollowSubscriber');
  forget(turn, before);
}

export function confirmed(turn: RelayTurn, { host }: BodyOf<typeof Relay.confirmed>): undefined {
  const before = turn.get(subscriptions, [relayKey, host]);
  if (before?.state === 'confirming') store(turn, { ...before, state: 'active', from: stateOf(turn).nextSequence });
}

export function admit(turn: RelayTurn, { host, audit }: BodyOf<typeof Relay.admit>): Subscription {
  const before = turn.get(subscriptions, [relayKey, host]);
  if (before === undefined && isFull(turn)) throw validationFailure('The relay has too many subscribers');
  const subscription = before ?? created(turn, host);
  note(turn, audit, subscription, before);
  if (before?.state === 'active' || before?.state === 'confirming') return before;
  const { follower } = subscription;
  if (follower === undefined) return store(turn, { ...subscription, state: 'allowed' });
  return accept(turn, subscription, follower.form === 'public' ? 'active' : 'confirming');
}

export function reject(turn: RelayTurn, { host, reason, audit }: BodyOf<typeof Relay.reject>): Subscription {
  const before = known(turn, host);
  const after = { ...before, state: 'refused' as const };
  note(turn, audit, after, before);
  dismiss(turn, before, reason ?? refusal.staff);
  return store(turn, after);
}

export function remove(turn: RelayTurn, { host, audit }: BodyOf<typeof Relay.remove>): Subscription {
  const before = known(turn, host);
  note(turn, audit, undefined, before);
  dismiss(turn, before, refusal.removed);
  forget(turn, before);
  return before;
}

export function setFilters(
  turn: RelayTurn,
  { host, takes, gives, audit }: BodyOf<typeof Relay.setFilters>,
): Subscription {
  const before = known(turn, host);
  const after = { ...before, takes: takes ?? before.takes, gives: gives ?? before.gives };
  recordAudit(turn, audit, {
    targetId: host,
    name: host,
    before: { takes: JSON.stringify(before.takes), gives: JSON.stringify(before.gives) },
    after: { takes: JSON.stringify(after.takes), gives: JSON.stringify(after.gives) },
  });
  return store(turn, after);
}

export function takeOver(turn: RelayTurn, { subscribers, audit }: BodyOf<typeof Relay.takeOver>): { taken: number } {
  const count = countOf(turn);
  let taken = 0;
  for (const { host, follower } of subscribers) {
    if (turn.get(subscriptions, [relayKey, host]) !== undefined) continue;
    if (count + taken >= relayLimits.subscriptionsMax) throw validationFailure('The relay has too many subscribers');
    store(turn, { ...created(turn, host), follower, state: 'active', from: stateOf(turn).nextSequence });
    taken += 1;
  }
  recordAudit(turn, audit, { name: `${taken} servers` });
  return { taken };
}

export function signatureLearned(
  turn: RelayTurn,
  { host, takesShared }: BodyOf<typeof Relay.signatureLearned>,
): undefined {
  const before = turn.get(subscriptions, [relayKey, host]);
  if (before !== undefined && before.takesShared !== takesShared) store(turn, { ...before, takesShared });
}

function known(turn: RelayTurn, host: string): Subscription {
  const subscription = turn.get(subscriptions, [relayKey, host]);
  if (subscription === undefined) throw new Failure('notFound', { text: `${host} does not subscribe to the relay.` });
  return subscription;
}

/** Counted, because subscriptions are few, and a new one is rare. */
function countOf(turn: RelayTurn): number {
  let count = 0;
  for (const _entry of turn.range(subscriptionNumbers, [relayKey])) count += 1;
  return count;
}

function isFull(turn: RelayTurn): boolean {
  return countOf(turn) >= relayLimits.subscriptionsMax;
}

function created(turn: RelayTurn, host: string): Subscription {
  const state = stateOf(turn);
  turn.put(relayStates, [relayKey], { ...state, nextNumber: state.nextNumber + 1 });
  return { host, number: state.nextNumber, state: 'allowed', createdAt: turn.now };
}

/** It gets what is passed on from now on; the one that was active before goes on where it is. */
function accept(turn: RelayTurn, before: Subscription, state: 'active' | 'confirming'): Subscription {
  const { host, follower } = before;
  if (follower === undefined) return before;
  answer(turn, { host, follower, isAccepted: true });
  if (state === 'confirming') followBack(turn, before, 'followSubscriber');
  const from = before.state === 'active' ? before.from : stateOf(turn).nextSequence;
  return store(turn, { ...before, state, from });
}

/** Says goodbye to a subscriber; the relay's own Follow is taken back. */
function dismiss(turn: RelayTurn, subscription: Subscription, reason: string): void {
  const { host, follower, state } = subscription;
  if (follower === undefined || state === 'refused') return;
  answer(turn, { host, follower, isAccepted: false, reason });
  if (follower.form === 'actor' && state !== 'pending') followBack(turn, subscription, 'unfollowSubscriber');
}

function followBack(
  turn: RelayTurn,
  subscription: Subscription,
  kind: 'followSubscriber' | 'unfollowSubscriber',
): void {
  const { host, number, follower } = subscription;
  if (follower === undefined) return;
  // The same for both: an Undo names the Follow.
  const followId = BigInt(number);
  const intent = { kind, actorId: relayActorId, activityId: turn.nextId(), follower: follower.actor, followId };
  deliver(turn, host, follower.inbox, intent);
}

interface Answer {
  readonly host: string;
  readonly follower: Follower;
  readonly isAccepted: boolean;
  readonly reason?: string;
}

function answer(turn: RelayTurn, { host, follower, isAccepted, reason = '' }: Answer): void {
  const { actor, follow: followText, inbox } = follower;
  const subject = { actorId: relayActorId, activityId: turn.nextId(), follower: actor, follow: followText };
  const intent: Intent = isAccepted
    ? { kind: 'acceptSubscription', ...subject }
    : { kind: 'rejectSubscription', ...subject, reason };
  deliver(turn, host, inbox, intent);
}

function deliver(turn: RelayTurn, host: string, inbox: string, intent: Intent): void {
  const partition = turn.partitionOf(slotOfKey(host));
  turn.tell(PartitionActor.deliver.to(BigInt(partition), { intent, destinations: [{ host, inbox }] }));
}

function store(turn: RelayTurn, subscription: Subscription): Subscription {
  const { host, number } = subscription;
  turn.put(subscriptions, [relayKey, host], subscription);
  turn.put(subscriptionNumbers, [relayKey, number], { host });
  turn.emit(subscriptionChanged, { host });
  return subscription;
}

function forget(turn: RelayTurn, { host, number }: Subscription): void {
  turn.delete(subscriptions, [relayKey, host]);
  turn.delete(subscriptionNumbers, [relayKey, number]);
  turn.delete(relayLanes, [relayKey, number]);
  turn.emit(subscriptionChanged, { host });
}

type Audit = BodyOf<typeof Relay.admit>['audit'];

function note(turn: RelayTurn, audit: Audit, after: Subscription | undefined, before: Subscription | undefined): void {
  const host = (after ?? before)!.host;
  recordAudit(turn, audit, {
    targetId: host,
    name: host,
    before: { state: before?.state },
    after: { state: after?.state },
  });
}
