/**
 * The bank: a workload that uses everything a turn can do. Accounts in all partitions deposit, transfer, remind, fetch,
 * ask along, mint ids, flood and fall; checkers follow every number to its end.
 */

import type { Envelope } from '../../../src/runtime/contract.ts';
import { composeId, slotCount, slotOfId } from '../../../src/runtime/ids.ts';
import type { CallResult } from '../../../src/runtime/ports.ts';
import type { Checker, Town, Workload, WorkloadFactory } from '../workload.ts';
import { bankActors } from './account.actor.ts';
import { Account, type Receipt } from './account.messages.ts';
import { bankKeyspaces, journal, ledgers } from './account.state.ts';
import { readBooks } from './books.ts';
import { checks } from './checks.ts';
import { History, type Operation } from './history.ts';

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

export interface BankOptions {
  /** Operations of a run. */
  operations: number;
}

export function bank({ operations }: BankOptions): WorkloadFactory {
  return (town) => new Bank(town, operations);
}

class Bank implements Workload {
  readonly actors = bankActors;
  readonly keyspaces = bankKeyspaces;
  readonly checkers: readonly Checker[];
  private readonly town: Town;
  private readonly accounts: readonly bigint[];
  private readonly history = new History();
  private left: number;
  private readonly floods: number;

  constructor(town: Town, operations: number) {
    this.town = town;
    this.left = operations;
    this.accounts = openAccounts(town);
    this.floods = town.random.pick([0, 0, 0, 1, 2]);
    const homeOf = (account: bigint) => Math.floor((slotOfId(account) * town.partitions) / slotCount);
    const books: Checker = {
      name: 'books',
      finished: (disks) => {
        const read = readBooks(disks, homeOf, this.accounts);
        if (typeof read === 'string') return read;
        const findings = { books: read, history: this.history, disks, homeOf };
        for (const check of Object.values(checks)) {
          const complaint = check(findings);
          if (complaint !== undefined) return `${check.name}: ${complaint}`;
        }
        return undefined;
      },
    };
    this.checkers = [this.replies(), problems(), books];
  }

  start(): void {
    for (let client = 0; client < 6; client += 1) this.goOn();
    for (let flood = 0; flood < this.floods; flood += 1)
      this.town.timeline.after(this.town.random.below(8_000), () => this.operate('flood', () => undefined));
  }

  runEffect(_effect: number, request: unknown): unknown {
    const { operation } = request as { operation: number };
    return { operation, answer: this.history.lookUp(operation) };
  }

  /** A client: one operation after the other, with pauses. */
  private goOn(): void {
    const { random, timeline, isCalm } = this.town;
    if (this.left === 0 || isCalm) return;
    this.left -= 1;
    timeline.after(random.pick([0, 1, 10, 200]), () => this.operate(random.pick(mixture), () => this.goOn()));
  }

  private operate(what: What, then: () => void): void {
    const { random, timeline } = this.town;
    const account = random.pick(this.accounts);
    const way = what === 'ask' ? Array.from({ length: random.below(4) }, () => random.pick(this.accounts)) : [];
    const operation = this.history.begin(what, account, way);
    const flow = `account:${random.below(4)}`;
    const call = this.town.call(this.envelope(what, operation), flow, (result) => {
      this.history.heard(operation, result, positionOf(operation, result));
      timeline.after(0, then);
    });
    this.history.called(call.number, operation);
  }

  private envelope(what: What, { number: operation, account, way }: Operation): Envelope {
    const { random } = this.town;
    const other = random.pick(this.accounts);
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
        return Account.flood.to(account, { operation, to: [...this.accounts], count: random.pick([300, 1_500]) });
    }
  }

  /** A reply tells of nothing that is not on disk, and of nothing older than what was heard before. */
  private replies(): Checker {
    return {
      name: 'replies',
      reply: (call, result, disk) => {
        const operation = this.history.ofCall(call.number);
        const position = positionOf(operation, result);
        if (position === undefined) return undefined;
        const { number, what, last, floor } = operation;
        if (what === 'read') {
          const onDisk = disk.get(ledgers, [last])?.position ?? 0;
          if (position > onDisk) return `operation ${number} read entry ${position} of ${last}, the disk has ${onDisk}`;
          return position < floor ? `operation ${number} read entry ${position} of ${last} after ${floor}` : undefined;
        }
        if (disk.get(journal, [last, position])?.operation !== number)
          return `operation ${number} (${what}) is acknowledged and not on disk`;
        return position <= floor ? `operation ${number} came after entry ${floor} and is entry ${position}` : undefined;
      },
    };
  }
}

function positionOf({ what }: Operation, result: CallResult): number | undefined {
  if (!result.ok) return undefined;
  if (what === 'mint') return (result.value as { receipt: Receipt }).receipt.position;
  return (result.value as { position: number }).position;
}

/** A few accounts in each partition, two of them in one slot. */
function openAccounts({ partitions, random }: Town): bigint[] {
  const accounts: bigint[] = [];
  for (let partition = 0; partition < partitions; partition += 1) {
    const slot = Math.ceil((partition * slotCount) / partitions);
    accounts.push(composeId(1, slot, 0), composeId(1, slot, 1));
    for (let extra = random.below(3); extra > 0; extra -= 1) accounts.push(composeId(1, slot + extra * 3, 0));
  }
  return accounts;
}

/** What a partition may report: failed appends, and the falls that the load has asked for. */
function problems(): Checker {
  return {
    name: 'problems',
    reported: ({ message, error }) => {
      if (/^partition \d+ could not commit$/.test(message)) return undefined;
      if (message === 'a turn of account.fall failed' && (error as Error).message === 'fallen') return undefined;
      return `${message}: ${error instanceof Error ? error.stack : error}`;
    },
  };
}
