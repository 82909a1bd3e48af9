/** The bound on the queues of all hosts together. */
import { expect, it } from 'vitest';
import { LaneHealth } from '../../../src/outbound/lanes/lane-health.ts';
import { LaneQueue } from '../../../src/outbound/lanes/lane-queue.ts';
import { laneLimits } from '../../../src/outbound/lanes/limits.ts';
import { QueueBudget } from '../../../src/outbound/lanes/queue-budget.ts';

const { pendingPerNarrowLaneMax: narrow } = laneLimits;
const sequenceBytes = 8;

interface Host {
  readonly isFailing: boolean;
  readonly pending: number;
}

/** Each host gets its deliveries, one host after the other. Returns what each holds in the end, and the most of all. */
function afterOffers(hosts: readonly Host[], sequencesMax: number): { held: number[]; most: number } {
  const lanes = hosts.map(({ isFailing }) => ({
    queue: new LaneQueue({ head: 10_000 }, 0, []),
    health: new LaneHealth(isFailing ? { failures: 5, failingSince: 1, nextAttemptAt: 1e12 } : undefined),
  }));
  const budget = new QueueBudget({ bytesMax: sequencesMax * sequenceBytes, lanes: () => lanes });
  let most = 0;
  for (const [index, { pending, isFailing }] of hosts.entries())
    for (let sequence = 1; sequence <= pending; sequence += 1) {
      if (lanes[index]!.queue.offer(sequence, false, isFailing)) budget.add();
      most = Math.max(most, budget.bytes / sequenceBytes);
    }
  return { held: lanes.map(({ queue }) => queue.waiting), most };
}

const dead = (pending: number): Host => ({ isFailing: true, pending });
const busy = (pending: number): Host => ({ isFailing: false, pending });

it.each<[string, readonly Host[], number, readonly number[]]>([
  ['below the bound all hold what they have', [dead(500), busy(400)], 1_000, [500, 400]],
  ['above it those that do not answer give up first', [dead(300), busy(900), dead(100)], 1_200, [narrow, 900, 100]],
  ['the longest of them first', [dead(200), dead(600), dead(300), busy(300)], 1_000, [200, narrow, 300, 300]],
  ['then the longest of those that answer', [busy(700), busy(600)], 1_000, [narrow, 600]],
  ['short ones keep what they have', [dead(60), dead(60), busy(1_300)], 1_000, [60, 60, narrow]],
])('%s', (_name, hosts, sequencesMax, held) => {
  const after = afterOffers(hosts, sequencesMax);
  expect(after.held).toEqual(held);
  expect(after.most).toBeLessThanOrEqual(sequencesMax * 1.25 + 1);
});

it('a thousand hosts that do not answer never hold more than a quarter above the bound', () => {
  const { most, held } = afterOffers(
    Array.from({ length: 1_000 }, () => dead(100)),
    70_000,
  );
  expect(most).toBeLessThanOrEqual(70_000 * 1.25 + 1);
  expect(held.every((waiting) => waiting >= narrow)).toBe(true);
});
