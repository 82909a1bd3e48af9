/** Problems of the partitions, for monitoring: each partition is asked at most once a second. */
import { conditionName, type PartitionCondition } from '../../runtime/condition.ts';
import { isTemporary } from '../../runtime/errors.ts';
import type { Services } from '../../services/services.ts';

/** What is the case now, and what was within the last seconds but is over. */
export interface ServerState {
  readonly problems: readonly ServerProblem[];
  readonly recent: readonly RecentProblem[];
}

export interface RecentProblem {
  readonly partition: number;
  readonly problem: 'could not write to its storage';
}

export interface ServerProblem {
  readonly partition: number;
  readonly problem:
    | 'cannot be read by a gateway'
    | 'cannot write to its storage'
    | 'has counters that cannot be decoded'
    | 'is held by another owner'
    | 'exchanges no messages with another partition'
    | 'does not answer';
}

const keptMilliseconds = 1_000;
const answerMillisecondsMax = 2_000;

interface Asked {
  readonly at: number;
  readonly state: Promise<ServerState>;
}

type ServerProblemsServices = Pick<Services, 'snapshots' | 'monotonic' | 'report'> & {
  readonly client: Pick<Services['client'], 'control'>;
};

/** One per thread that asks. */
export class ServerProblems {
  private readonly services: ServerProblemsServices;
  private asked: Asked | undefined;

  constructor(services: ServerProblemsServices) {
    this.services = services;
  }

  now(): Promise<ServerState> {
    const now = this.services.monotonic();
    if (this.asked === undefined || now >= this.asked.at + keptMilliseconds)
      this.asked = { at: now, state: stateOf(this.services) };
    return this.asked.state;
  }
}

async function stateOf({ client, snapshots, report }: ServerProblemsServices): Promise<ServerState> {
  const partitions = Array.from({ length: snapshots.placement.partitions }, (_, partition) => partition);
  const recent: RecentProblem[] = [];
  const found = partitions.map(async (partition): Promise<ServerProblem[]> => {
    const unreadable: ServerProblem[] = snapshots.isReadable(partition)
      ? []
      : [{ partition, problem: 'cannot be read by a gateway' }];
    const condition = await inTime(client.control<PartitionCondition>(partition, conditionName, {}), report);
    if (condition === undefined) return [...unreadable, { partition, problem: 'does not answer' }];
    const { canWrite, hasFailedLately, isFenced, hasDamagedCounters, frozenChannels } = condition;
    if (canWrite && hasFailedLately) recent.push({ partition, problem: 'could not write to its storage' });
    return [
      ...unreadable,
      ...(hasDamagedCounters ? [{ partition, problem: 'has counters that cannot be decoded' } as const] : []),
      ...(canWrite || hasDamagedCounters ? [] : [{ partition, problem: 'cannot write to its storage' } as const]),
      ...(isFenced ? [{ partition, problem: 'is held by another owner' } as const] : []),
      ...(frozenChannels.length === 0
        ? []
        : [{ partition, problem: 'exchanges no messages with another partition' } as const]),
    ];
  });
  const problems = (await Promise.all(found)).flat();
  return { problems, recent: recent.sort((one, other) => one.partition - other.partition) };
}

/** Undefined where the answer does not come in time. */
function inTime<Value>(answer: Promise<Value>, report: Services['report']): Promise<Value | undefined> {
  return new Promise((resolve) => {
    const deadline = setTimeout(() => resolve(undefined), answerMillisecondsMax);
    answer
      .catch((error: unknown) => {
        if (!isTemporary(error))
          report({ level: 'error', message: 'a partition could not report its condition', error });
        return undefined;
      })
      .then((value) => {
        clearTimeout(deadline);
        resolve(value);
      });
  });
}
