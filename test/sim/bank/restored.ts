/**
 * The bank while one partition is restored from an older copy. The restored books are older; partitions that do not
 * report the restoration must agree about every message between them.
 */
import type { Reader } from '../../../src/runtime/storage/reader.ts';
import type { Checker, Complaint, Workload, WorkloadFactory } from '../workload.ts';
import { bankActors } from './account.actor.ts';
import { bankKeyspaces, type Entry, journal } from './account.state.ts';
import { homesIn, openAccounts } from './bank.ts';
import { History } from './history.ts';
import { BankLoad } from './load.ts';
import { problems } from './watch.ts';

/**
 * When every account transfers to every other once more, so that any damage shows: after the last fault, because a round
 * that is refused shows nothing.
 */
const lastRoundMilliseconds = 30_000;

/** `restoredPartition` is known once the run is planned. */
export function bankGoingBack(operations: number, restoredPartition: () => number): WorkloadFactory {
  return (town) => {
    const history = new History();
    const accounts = openAccounts(town);
    const load = new BankLoad(town, accounts, history, undefined, operations);
    return {
      actors: bankActors,
      keyspaces: bankKeyspaces,
      checkers: [sameStories(accounts, homesIn(town), restoredPartition)],
      start() {
        load.start();
        town.timeline.after(lastRoundMilliseconds, () => load.transferToAll());
      },
      runEffect(_effect, request) {
        const { operation } = request as { operation: number };
        return { operation, answer: history.lookUp(operation) };
      },
    } satisfies Workload;
  };
}

const report = /^Partition (\d+) is older than partition (\d+): /;

function sameStories(
  accounts: readonly bigint[],
  homeOf: (account: bigint) => number,
  restoredPartition: () => number,
): Checker {
  const reported = new Set<string>();
  const { reported: expected } = problems();
  return {
    name: 'same stories',
    reported(problem) {
      const [, older, other] = report.exec(problem.message) ?? [];
      if (older === undefined) return expected!(problem);
      if (Number(older) !== restoredPartition())
        return `partition ${older} is said to be older than partition ${other}`;
      reported.add(`${older} ${other}`).add(`${other} ${older}`);
      return undefined;
    },
    finished(disks) {
      for (const from of accounts)
        for (const to of accounts) {
          const [source, destination] = [homeOf(from), homeOf(to)];
          if (source === destination || reported.has(`${source} ${destination}`)) continue;
          const complaint = compare(disks[source]!, disks[destination]!, from, to);
          if (complaint !== undefined) return complaint;
        }
      return undefined;
    },
  };
}

/** Compares the transfers from one account to another as both have recorded them. */
function compare(source: Reader, destination: Reader, from: bigint, to: bigint): Complaint {
  const entries = (disk: Reader, account: bigint, what: string, other: bigint): Entry[] =>
    Array.from(disk.range(journal, [account]), ({ value }) => value).filter(
      (entry) => entry.what === what && entry.other === other,
    );
  const told = new Map(entries(source, from, 'transfer', to).map(({ sequence, operation }) => [sequence, operation]));
  for (const { sequence, operation } of entries(destination, to, 'credit', from)) {
    const toldAs = told.get(sequence);
    told.delete(sequence);
    // Floods send messages without an entry of their own at the sender.
    if (toldAs !== undefined && toldAs !== operation)
      return `message ${sequence} of ${from} to ${to} is one of operation ${toldAs} there and of ${operation} here`;
  }
  const [lost] = told.keys();
  return lost === undefined ? undefined : `message ${lost} of ${from} to ${to} was swallowed`;
}
