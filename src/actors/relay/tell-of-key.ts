/** Tells subscribers that the relay has another key; all get the same activity, which is signed with the former one. */
import type { BodyOf } from '../../runtime/contract.ts';
import { slotOfKey } from '../../runtime/ids.ts';
import type { Turn } from '../../runtime/partition/turn.ts';
import { type Destination, relayActorId } from '../intents.ts';
import { PartitionActor } from '../partition/partition.messages.ts';
import { relayLimits } from './limits.ts';
import { Relay, relayKey } from './relay.messages.ts';
import { subscriptionNumbers, subscriptions } from './relay.state.ts';

export function tellOfKey(turn: Turn<string>, { activityId, after = -1 }: BodyOf<typeof Relay.tellOfKey>): undefined {
  const query = { from: after + 1, limit: relayLimits.toldAtOnce };
  const numbers = Array.from(turn.range(subscriptionNumbers, [relayKey], query));
  const byPartition = new Map<number, Destination[]>();
  for (const { host } of numbers.map(({ value }) => value)) {
    const { state, follower } = turn.get(subscriptions, [relayKey, host]) ?? {};
    if (follower === undefined || (state !== 'active' && state !== 'confirming')) continue;
    const partition = turn.partitionOf(slotOfKey(host));
    byPartition.set(partition, [...(byPartition.get(partition) ?? []), { host, inbox: follower.inbox }]);
  }
  const intent = { kind: 'updateRelay', actorId: relayActorId, activityId } as const;
  for (const [partition, destinations] of byPartition)
    turn.tell(PartitionActor.deliver.to(BigInt(partition), { intent, destinations }));
  const last = numbers.length < relayLimits.toldAtOnce ? undefined : numbers.at(-1)?.key[1];
  if (last !== undefined) turn.tell(Relay.tellOfKey.to(relayKey, { activityId, after: last }));
}
