/**
 * Where an account's followers are: how many in each partition, local ones by their own slot, remote ones by the slot of
 * their host's domain actor. A post goes to exactly these partitions. Beside them, how many asked for a bell: a post of
 * somebody without bells is not even looked at for them.
 */
import { slotOfActor } from '../../../runtime/contract.ts';
import type { Id } from '../../../runtime/ids.ts';
import { slotCount, slotOfKey, timeOfId } from '../../../runtime/ids.ts';
import { notificationLimits } from '../../../runtime/limits.ts';
import type { Destination, Intent } from '../../intents.ts';
import { PartitionActor } from '../../partition/partition.messages.ts';
import { ringsBells } from '../../policy/home.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { bells as bellsKept } from '../notifications/notifications.state.ts';
import type { StatusFacts } from '../statuses/statuses.events.ts';
import type { Reach } from './relationships.records.ts';
import { reaches } from './relationships.state.ts';

function partitionOfSlot(slot: number, partitions: number): number {
  return Math.floor((slot * partitions) / slotCount);
}

function readReach(turn: AccountTurn): Reach {
  const stored = turn.get(reaches, [turn.self.key]);
  const fill = (counts: readonly number[] | undefined) =>
    Array.from({ length: turn.partitions }, (_, number) => counts?.[number] ?? 0);
  return { local: fill(stored?.local), remote: fill(stored?.remote), bells: stored?.bells };
}

/** A follower came (+1) or went (-1). `host` is undefined for a local one. */
export function changeReach(turn: AccountTurn, followerId: Id, host: string | undefined, change: 1 | -1): void {
  const reach = readReach(turn);
  const counts = host === undefined ? reach.local : reach.remote;
  const slot = host === undefined ? slotOfActor(followerId) : slotOfKey(host);
  const partition = partitionOfSlot(slot, turn.partitions);
  counts[partition] = Math.max(0, counts[partition]! + change);
  turn.put(reaches, [turn.self.key], reach);
}

/** A local follower has asked for a bell, or has none any more. */
export function changeBell(turn: AccountTurn, followerId: Id, isWanted: boolean): void {
  const key: [Id, Id] = [turn.self.key, followerId];
  if ((turn.get(bellsKept, key) !== undefined) === isWanted) return;
  if (isWanted) turn.put(bellsKept, key, true);
  else turn.delete(bellsKept, key);
  const reach = readReach(turn);
  const bells = (reach.bells ?? 0) + (isWanted ? 1 : -1);
  turn.put(reaches, [turn.self.key], { ...reach, bells: bells > 0 ? bells : undefined });
}

/**
 * Tells the partitions with local followers, other than this one (which hears the event itself), and rings the bells of
 * those who asked.
 */
export function tellFollowers(turn: AccountTurn, message: 'arrived' | 'gone' | 'revised', facts: StatusFacts): void {
  const { local, bells } = readReach(turn);
  if (bells !== undefined && message === 'arrived') tellBells(turn, facts);
  for (let partition = 0; partition < local.length; partition += 1) {
    if (local[partition]! > 0 && partition !== turn.partition)
      turn.tell(PartitionActor[message].to(BigInt(partition), facts));
  }
}

/** What came late from elsewhere, as part of a thread perhaps, is news to nobody. */
function tellBells(turn: AccountTurn, facts: StatusFacts): void {
  const isNew = timeOfId(facts.id) >= turn.now - notificationLimits.bellAgeMillisecondsMax;
  if (!isNew || !ringsBells(facts)) return;
  turn.tell(Account.ringBells.to(turn.self.key, { statusId: facts.id, language: facts.language }));
}

/**
 * Hands an intent to every partition with something to deliver: the hosts of remote followers (`toFollowers`), and
 * single destinations. Remote accounts have no intents of their own: callers ask for local ones only.
 */
export function deliver(
  turn: AccountTurn,
  intent: Intent,
  audience: { toFollowers: boolean; destinations: readonly Destination[] },
): void {
  const remote = audience.toFollowers ? readReach(turn).remote : [];
  const byPartition = new Map<number, Destination[]>();
  for (let partition = 0; partition < remote.length; partition += 1)
    if (remote[partition]! > 0) byPartition.set(partition, []);
  for (const destination of audience.destinations) {
    const partition = partitionOfSlot(slotOfKey(destination.host), turn.partitions);
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
