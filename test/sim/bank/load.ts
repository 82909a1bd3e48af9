/** The load of the bank: clients that make one operation after another, and occasional floods. */
import type { Envelope } from '../../../src/runtime/contract.ts';
import { slotOfId } from '../../../src/runtime/ids.ts';
import { partitionLimits } from '../../../src/runtime/limits.ts';
import { evenPlacement } from '../../../src/runtime/placement.ts';
import type { Town } from '../workload.ts';
import { Account } from './account.messages.ts';
import { type History, type Operation, positionOf } from './history.ts';
import type { Reading } from './reading.ts';

/** How often each kind of operation is chosen. */
const mixture = [
  ...Array.from({ length: 6 }, () => 'transfer' as const),
  ...Array.from({ length: 3 }, () => 'deposit' as const),
  ...Array.from({ length: 3 }, () => 'read' as const),
  'remind',
  'fetch',
  'ask',
  'refuse',
  'trip',
  'mint',
] as const;

type What = (typeof mixture)[number] | 'flood';

interface Asked {
  what: What;
  account: bigint;
  other: bigint;
  /** Messages of a flood. */
  count?: number;
}

const clients = 6;
const transfersAfterFlood = 6;
/** Together more messages than a channel may have under way. */
const delugeFloods = 5;

export class BankLoad {
  private readonly town: Town;
  private readonly accounts: readonly bigint[];
  private readonly history: History;
  private readonly reading: Reading | undefined;
  private left: number;

  constructor(
    town: Town,
    accounts: readonly bigint[],
    history: History,
    reading: Reading | undefined,
    operations: number,
  ) {
    this.town = town;
    this.accounts = accounts;
    this.history = history;
    this.reading = reading;
    this.left = operations;
  }

  start(): void {
    for (let client = 0; client < clients; client += 1) this.goOn();
    const { random, timeline } = this.town;
    for (let floods = random.pick([0, 0, 0, 1, 2]); floods > 0; floods -= 1)
      timeline.after(random.below(8_000), () => this.flood());
  }

  /**
   * An account gets more messages than the channel to it may have under way, while it is busy with messages of its own
   * partition: they go through the inbox.
   */
  planDeluge(): void {
    const { random, timeline, partitions } = this.town;
    const placement = evenPlacement(partitions);
    const homeOf = (account: bigint) => placement.partitionOf(slotOfId(account));
    const other = random.pick(this.accounts);
    const neighbour = this.accounts.find((account) => homeOf(account) === homeOf(other))!;
    const stranger = this.accounts.find((account) => homeOf(account) !== homeOf(other)) ?? neighbour;
    const fromNear = { what: 'flood', account: neighbour, other, count: partitionLimits.localRunsMax * 2 } as const;
    const fromAfar = { what: 'flood', account: stranger, other, count: partitionLimits.turnMessagesMax } as const;
    timeline.after(random.below(4_000), () => {
      for (let flood = 0; flood < delugeFloods; flood += 1)
        this.operate(fromAfar, () => this.operate(fromNear, () => undefined));
    });
  }

  /** Every account transfers something to every other. */
  transferToAll(): void {
    for (const account of this.accounts)
      for (const other of this.accounts) this.operate({ what: 'transfer', account, other }, () => undefined);
  }

  private goOn(): void {
    const { random, timeline, isCalm } = this.town;
    if (this.left === 0 || isCalm) return;
    this.left -= 1;
    timeline.after(random.pick([0, 1, 10, 200]), () => this.operate(this.chosen(), () => this.goOn()));
  }

  /** More messages than a batch runs, and transfers to the same account that must not overtake them. */
  private flood(): void {
    const { random, timeline } = this.town;
    const { account, other } = this.chosen();
    this.operate({ what: 'flood', account, other }, () => undefined);
    for (let number = 0; number < transfersAfterFlood; number += 1)
      timeline.after(random.below(60), () => this.operate({ what: 'transfer', account, other }, () => undefined));
  }

  private chosen(): Asked {
    const { random } = this.town;
    return { what: random.pick(mixture), account: random.pick(this.accounts), other: random.pick(this.accounts) };
  }

  private operate(asked: Asked, then: () => void): void {
    const { random, timeline } = this.town;
    const stops = asked.what === 'ask' ? random.below(4) : 0;
    const way = Array.from({ length: stops }, () => random.pick(this.accounts));
    const operation = this.history.begin(asked.what, asked.account, way, timeline.now);
    const flow = `account:${random.below(4)}`;
    const call = this.town.call(this.envelope(asked, operation), flow, (result) => {
      const position = positionOf(operation, result);
      this.history.heard(operation, result, position);
      const complaint = position ? this.reading?.answered(operation.last, position) : undefined;
      if (complaint !== undefined) this.town.complain('gateway', complaint);
      timeline.after(0, then);
    });
    this.history.called(call.number, operation);
  }

  private envelope({ what, account, other, count }: Asked, { number: operation, way }: Operation): Envelope {
    const { random } = this.town;
    switch (what) {
      case 'deposit':
        return Account.deposit.to(account, { operation, amount: random.between(1, 100) });
      case 'transfer':
        return Account.transfer.to(account, { operation, to: other, amount: random.between(1, 100) });
      case 'read':
        return Account.read.to(account, {});
      case 'remind':
        return Account.remind.to(account, { operation, after: random.pick([-50, 0, 1, 300, 5_000]), whom: other });
      case 'fetch':
        return Account.fetch.to(account, { operation });
      case 'ask':
        return Account.ask.to(account, { operation, way: way.slice(1) });
      case 'refuse':
        return Account.refuse.to(account, { operation, to: other });
      case 'trip':
        return Account.trip.to(account, { operation, whom: other });
      case 'mint':
        return Account.mint.to(account, { operation, count: random.pick([1, 3, 70]) });
      case 'flood':
        return Account.flood.to(account, { operation, to: [other], count: count ?? random.pick([300, 1_500]) });
    }
  }
}
