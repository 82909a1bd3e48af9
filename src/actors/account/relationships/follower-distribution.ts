/**
 * The partitions in which an account has followers: local ones by their own slot, remote ones by the slot of their
 * host's domain actor. A post is sent to exactly these partitions. It also counts followers with `notify`, so that
 * posts of an account without any skip that search.
 */
import { slotOfActor } from '../../../runtime/contract.ts';
import type { Id } from '../../../runtime/ids.ts';
import { slotOfKey, timeOfId } from '../../../runtime/ids.ts';
import type { Destination, Intent } from '../../intents.ts';
import { PartitionActor } from '../../partition/partition.messages.ts';
import { relaysThatGetPosts } from '../../partition/relays.state.ts';
import { deservesPostNotification } from '../../policy/home.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { notificationLimits } from '../notifications/limits.ts';
import type { StatusFacts } from '../statuses/statuses.events.ts';
import type { FollowerDistribution } from './relationships.records.ts';
import { followerDistributions, followers, followersToNotify } from './relationships.state.ts';

function readDistribution(turn: AccountTurn): FollowerDistribution {
  const stored = turn.get(followerDistributions, [turn.self.key]);
  const fill = (counts: readonly number[] | undefined) =>
    Array.from({ length: turn.partitions }, (_, number) => counts?.[number] ?? 0);
  return { local: fill(stored?.local), remote: fill(stored?.remote), notified: stored?.notified };
}

/** A follower was added (+1) or removed (-1). `host` is undefined for a local one. */
export function countFollowerAt(turn: AccountTurn, followerId: Id, host: string | undefined, change: 1 | -1): void {
  const distribution = readDistribution(turn);
  const counts = host === undefined ? distribution.local : distribution.remote;
  const slot = host === undefined ? slotOfActor(followerId) : slotOfKey(host);
  const partition = turn.partitionOf(slot);
  counts[partition] = Math.max(0, counts[partition]! + change);
  turn.put(followerDistributions, [turn.self.key], distribution);
}

/** Whether a local follower is notified of each new status. */
export function setPostNotification(turn: AccountTurn, followerId: Id, isWanted: boolean): void {
  const key: [Id, Id] = [turn.self.key, followerId];
  if ((turn.get(followersToNotify, key) !== undefined) === isWanted) return;
  if (isWanted) turn.put(followersToNotify, key, true);
  else turn.delete(followersToNotify, key);
  const distribution = readDistribution(turn);
  const notified = (distribution.notified ?? 0) + (isWanted ? 1 : -1);
  turn.put(followerDistributions, [turn.self.key], { ...distribution, notified: notified > 0 ? notified : undefined });
}

/** `attached`: it was in no home before, but is not new. */
const messageTo = { arrived: 'arrived', attached: 'arrived', gone: 'gone', revised: 'revised' } as const;

/**
 * Informs the other partitions with local followers (this one has the event), and starts notifying followers with
 * `notify` of a new status. A direct status goes only to partitions of followers that it mentions, or mentioned before
 * an edit.
 */
export function tellFollowers(
  turn: AccountTurn,
  message: keyof typeof messageTo,
  facts: StatusFacts,
  mentionedBefore: readonly { readonly id: Id }[] = [],
): void {
  const { local, notified } = readDistribution(turn);
  if (notified !== undefined && message === 'arrived') requestPostNotifications(turn, facts);
  const mentionedIds = [...facts.mentions, ...(facts.addressed ?? []), ...mentionedBefore.map(({ id }) => id)];
  const concerned = facts.visibility === 'direct' ? partitionsOfFollowers(turn, mentionedIds) : undefined;
  for (let partition = 0; partition < local.length; partition += 1) {
    if (local[partition] === 0 || partition === turn.partition) continue;
    if (concerned?.has(partition) !== false) turn.tell(PartitionActor[messageTo[message]].to(BigInt(partition), facts));
  }
}

/** The partitions of those accounts that are local followers. */
function partitionsOfFollowers(turn: AccountTurn, accountIds: readonly Id[]): ReadonlySet<number> {
  const local = accountIds.filter((id) => {
    const follower = turn.get(followers, [turn.self.key, id]);
    return follower !== undefined && follower.destination === undefined;
  });
  return new Set(local.map((id) => turn.partitionOf(slotOfActor(id))));
}

/** A remote status that arrives late, for example as part of a thread, notifies nobody. */
function requestPostNotifications(turn: AccountTurn, facts: StatusFacts): void {
  const isNew = timeOfId(facts.id) >= turn.now - notificationLimits.postNotificationAgeMillisecondsMax;
  if (!isNew || !deservesPostNotification(facts)) return;
  turn.tell(Account.notifyFollowersOfPost.to(turn.self.key, { statusId: facts.id, language: facts.language }));
}

/**
 * Gives an intent to every partition that has to deliver it: to the hosts of remote followers (`toFollowers`) and to
 * single destinations; `toRelays`, which is for what is public, to the relays that this server has joined too. Only local
 * accounts deliver.
 */
export function deliver(
  turn: AccountTurn,
  intent: Intent,
  audience: { toFollowers: boolean; toRelays?: boolean; destinations: readonly Destination[] },
): void {
  const remote = audience.toFollowers ? readDistribution(turn).remote : [];
  const byPartition = new Map<number, Destination[]>();
  for (let partition = 0; partition < remote.length; partition += 1)
    if (remote[partition]! > 0) byPartition.set(partition, []);
  const relays = audience.toRelays === true ? relaysThatGetPosts(turn) : [];
  for (const destination of [...audience.destinations, ...relays]) {
    const partition = turn.partitionOf(slotOfKey(destination.host));
    const list = byPartition.get(partition);
    if (list === undefined) byPartition.set(partition, [destination]);
    else list.push(destination);
  }
  for (const [partition, destinations] of byPartition) {
    const followers = audience.toFollowers && (remote[partition] ?? 0) > 0 ? { followersOf: turn.self.key } : {};
    turn.tell(PartitionActor.deliver.to(BigInt(partition), { intent, ...followers, destinations }));
  }
}

/** Each inbox once. */
export function distinctDestinations(destinations: readonly Destination[]): Destination[] {
  if (destinations.length < 2) return [...destinations];
  return [...new Map(destinations.map((destination) => [destination.inbox, destination])).values()];
}
