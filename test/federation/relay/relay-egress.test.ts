/** What the relay sends is paced by options, in virtual time. */
import { expect, test } from 'vitest';
import { type EgressLimits, RelayEgress } from '../../../src/federation/relay/relay-egress.ts';

class Paced {
  now = 0;
  private readonly timers: { at: number; callback: () => void }[] = [];
  readonly egress: RelayEgress;

  constructor(limits: EgressLimits) {
    this.egress = new RelayEgress(limits, {
      monotonic: () => this.now,
      schedule: (milliseconds, callback) => {
        this.timers.push({ at: this.now + milliseconds, callback });
        return () => undefined;
      },
    });
  }

  /** When each request would be sent: all are ready at once. */
  async sentAt(requests: readonly (readonly [subscriber: number, bytes: number])[]): Promise<number[]> {
    const sent = requests.map(([subscriber, bytes]) => {
      const turn = this.egress.turnOf(subscriber, bytes);
      return turn === undefined ? Promise.resolve(this.now) : turn.then(() => this.now);
    });
    for (const { at, callback } of this.timers.splice(0).sort((one, other) => one.at - other.at)) {
      this.now = at;
      callback();
      await Promise.resolve();
    }
    return Promise.all(sent);
  }
}

const requests = (count: number, subscriber: (index: number) => number) =>
  Array.from({ length: count }, (_, index) => [subscriber(index), 1_000] as const);

test('without limits nothing waits', async () => {
  const paced = new Paced({ total: 0, perSubscriber: 0 });
  expect(new Set(await paced.sentAt(requests(1_000, (index) => index)))).toEqual(new Set([0]));
});

test('in total, a second may be used up at once, and the rest goes at the rate', async () => {
  const paced = new Paced({ total: 10_000, perSubscriber: 0 });
  const sent = await paced.sentAt(requests(30, (index) => index));
  expect(sent.filter((at) => at === 0)).toHaveLength(10);
  expect(sent.at(-1)).toBe(2_000);
});

test('a subscriber that has used up its share delays nobody else', async () => {
  const paced = new Paced({ total: 0, perSubscriber: 2_000 });
  const sent = await paced.sentAt([...requests(6, () => 1), ...requests(2, () => 2)]);
  expect(sent).toEqual([0, 0, 500, 1_000, 1_500, 2_000, 0, 0]);
});

test('both limits hold, and an idle time gives no more than a second', async () => {
  const paced = new Paced({ total: 4_000, perSubscriber: 2_000 });
  expect(await paced.sentAt(requests(6, (index) => index % 2))).toEqual([0, 0, 0, 0, 500, 500]);
  paced.now = 60_000;
  expect(await paced.sentAt(requests(6, (index) => index))).toEqual([60_000, 60_000, 60_000, 60_000, 60_250, 60_500]);
});
