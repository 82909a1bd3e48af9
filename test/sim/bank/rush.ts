/**
 * A rush: without faults, one flow makes far more calls than a partition can serve before their deadlines, and another
 * flow makes a few. Calls of the rush are served or refused in time; the other flow is hardly affected.
 */
import { partitionLimits } from '../../../src/runtime/limits.ts';
import type { CallResult } from '../../../src/runtime/ports.ts';
import type { Call, Checker, Complaint, Town, Workload, WorkloadFactory } from '../workload.ts';
import { bankActors } from './account.actor.ts';
import { Account } from './account.messages.ts';
import { bankKeyspaces, ledgers } from './account.state.ts';
import { homesIn, openAccounts } from './bank.ts';

const rushCalls = 4_000;
const rushMilliseconds = 20;
const quietCalls = 12;
/** The commit that a call runs in, and one more where the batch was full, behind those under way when it comes. */
const commitsUntilAnswered = 2;

/** With this many concurrent appends. */
export function rush(appendsMax: number): WorkloadFactory {
  return (town) => {
    const [home] = openAccounts(town).map(homesIn(town));
    const accounts = openAccounts(town).filter((account) => homesIn(town)(account) === home);
    const quiet = new Set<number>();
    const served = new Set<number>();
    return {
      actors: bankActors,
      keyspaces: bankKeyspaces,
      checkers: [fairness(quiet, home!, appendsMax + commitsUntilAnswered), everybodyHears(served, accounts, home!)],
      start: () => planRush(town, accounts, quiet, served),
      runEffect: () => undefined,
    } satisfies Workload;
  };
}

function planRush(town: Town, accounts: readonly bigint[], quiet: Set<number>, served: Set<number>): void {
  const { random, timeline } = town;
  const deposit = (flow: string, operation: number): Call =>
    town.call(Account.deposit.to(random.pick(accounts), { operation, amount: 1 }), flow, (result) => {
      if (result.ok) served.add(operation);
    });
  for (let operation = 1; operation <= rushCalls; operation += 1)
    timeline.after(random.below(rushMilliseconds), () => deposit(`account:${operation % 2}`, operation));
  for (let count = 0; count < quietCalls; count += 1)
    timeline.after(random.below(rushMilliseconds * 10), () => {
      quiet.add(deposit('account:quiet', rushCalls + count + 1).number);
    });
}

/** The quiet flow waits for at most a few commits, whatever the other does. */
function fairness(quiet: ReadonlySet<number>, home: number, commitsMax: number): Checker {
  let commits = 0;
  const arrived = new Map<number, number>();
  return {
    name: 'fairness',
    arrived({ number }) {
      arrived.set(number, commits);
      return undefined;
    },
    committed(partition) {
      if (partition === home) commits += 1;
      return undefined;
    },
    reply({ number }, result) {
      if (!quiet.has(number)) return undefined;
      if (!result.ok) return `call ${number} of somebody who asks for little was refused: ${result.failure.code}`;
      const waited = commits - arrived.get(number)!;
      return waited <= commitsMax ? undefined : `call ${number} has waited for ${waited} commits`;
    },
  };
}

const inTime: ReadonlySet<string> = new Set(['overloaded', 'expired']);

/** Every call is served, or refused while its caller still waits, and the queues stay within their bounds. */
function everybodyHears(served: ReadonlySet<number>, accounts: readonly bigint[], home: number): Checker {
  let unanswered = 0;
  /** For their turns. */
  let waiting = 0;
  let refused = 0;
  return {
    name: 'rush',
    arrived() {
      unanswered += 1;
      waiting += 1;
      return undefined;
    },
    runs() {
      waiting -= 1;
      return undefined;
    },
    reply(_call: Call, result: CallResult): Complaint {
      unanswered -= 1;
      if (result.ok) return undefined;
      const { code } = result.failure;
      refused += 1;
      waiting -= 1;
      return inTime.has(code) ? undefined : `a call is refused as ${code}`;
    },
    committed: () => (waiting <= partitionLimits.waitingCallsMax ? undefined : `${waiting} calls wait`),
    finished(disks) {
      if (unanswered !== 0) return `${unanswered} calls have heard nothing`;
      if (refused === 0) return 'nothing was refused: this was no rush';
      const booked = accounts.reduce((sum, account) => sum + (disks[home]!.get(ledgers, [account])?.position ?? 0), 0);
      return booked === served.size ? undefined : `${served.size} deposits were answered, ${booked} are booked`;
    },
  };
}
