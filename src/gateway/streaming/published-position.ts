/** The newest published position in the event log of a partition, requested from its owner. */
import { type PublishedAnswer, publishedViewName } from '../../actors/partition/published.messages.ts';
import { eventsFrom } from '../../runtime/events/event-log.ts';
import type { Services } from '../../services/services.ts';
import type { Position } from './position.ts';

/** Everything up to this position was published before the answer came, nothing after it. Rejects as calls do. */
export async function publishedPosition(
  { client, snapshots }: Pick<Services, 'client' | 'snapshots'>,
  partition: number,
): Promise<Position> {
  const { commit } = await client.control<PublishedAnswer>(partition, publishedViewName, {});
  const reader = snapshots.partitions[partition]!;
  for (const batch of eventsFrom(reader, partition, commit, (key) => client.damageMet(partition, key))) {
    if (batch.commit === commit) return { partition, commit, index: batch.events.length - 1 };
    break;
  }
  // The last commit had no events.
  return { partition, commit, index: 0 };
}
