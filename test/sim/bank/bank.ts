/**
 * The bank: a workload that uses everything a turn can do. Accounts in all partitions deposit, transfer, set reminders,
 * run effects, delegate replies, generate ids, send floods and fail; checkers follow every operation to its end.
 */
import { composeId, slotCount, slotOfId } from '../../../src/runtime/ids.ts';
import { evenPlacement } from '../../../src/runtime/placement.ts';
import type { Checker, Town, Workload, WorkloadFactory } from '../workload.ts';
import { bankActors } from './account.actor.ts';
import { bankKeyspaces, ledgers } from './account.state.ts';
import { readBooks } from './books.ts';
import { checks } from './checks.ts';
import { History } from './history.ts';
import { BankLoad } from './load.ts';
import { PositionsView } from './positions.view.ts';
import { Reading } from './reading.ts';
import { problems, recipients, replies } from './watch.ts';

/** The bank with this many operations per run, optionally with a deluge. */
export function bank(operations: number, { deluge = false } = {}): WorkloadFactory {
  return (town) => {
    const history = new History();
    const accounts = openAccounts(town);
    const reading = new Reading(town);
    const load = new BankLoad(town, accounts, history, reading, operations);
    return {
      actors: bankActors,
      keyspaces: bankKeyspaces,
      checkers: [replies(history), problems(), recipients(), finalBooks(town, accounts, history, reading)],
      views: () => [new PositionsView()],
      listener: reading,
      start() {
        load.start();
        lookAround(town, accounts, reading);
        if (deluge) load.planDeluge();
      },
      runEffect(_effect, request) {
        const { operation } = request as { operation: number };
        return { operation, answer: history.lookUp(operation) };
      },
    } satisfies Workload;
  };
}

/** Queries views and gateways throughout the run: their answers must be right at any moment. */
function lookAround(town: Town, accounts: readonly bigint[], reading: Reading): void {
  const { random, timeline } = town;
  const homeOf = homesIn(town);
  const look = (): void => {
    const account = random.pick(accounts);
    town.control(homeOf(account), 'positions', account, (answer, disk) => {
      const position = disk.get(ledgers, [account])?.position ?? 0;
      return answer === position ? undefined : `says ${answer} for ${account}, whose journal has ${position}`;
    });
    reading.show(random.pick(accounts));
    if (!town.isCalm) timeline.after(random.pick([1, 20, 150]), look);
  };
  look();
}

export function homesIn({ partitions }: Town): (account: bigint) => number {
  const placement = evenPlacement(partitions);
  return (account) => placement.partitionOf(slotOfId(account));
}

function finalBooks(town: Town, accounts: readonly bigint[], history: History, reading: Reading): Checker {
  const homeOf = homesIn(town);
  return {
    name: 'books',
    archived(partition, letters) {
      for (const { sequence, message } of letters) history.archived.set(`${partition}-${sequence}`, message);
      return undefined;
    },
    finished(disks) {
      const books = readBooks(disks, homeOf, accounts);
      const hasShown: Town['hasShown'] = (...asked) => town.hasShown(...asked);
      if (typeof books === 'string') return books;
      for (const check of Object.values(checks)) {
        const complaint = check({ books, history, disks, homeOf, hasShown });
        if (complaint !== undefined) return `${check.name}: ${complaint}`;
      }
      return reading.compare((account) => disks[homeOf(account)]!);
    },
  };
}

/** A few accounts in each partition, two of them in one slot. */
export function openAccounts({ partitions, random }: Town): bigint[] {
  const accounts: bigint[] = [];
  for (let partition = 0; partition < partitions; partition += 1) {
    const slot = Math.ceil((partition * slotCount) / partitions);
    accounts.push(composeId(1, slot, 0), composeId(1, slot, 1));
    for (let extra = random.below(3); extra > 0; extra -= 1) accounts.push(composeId(1, slot + extra * 3, 0));
  }
  return accounts;
}
