/** What is wrong with the partitions, for whoever watches the server: asked of each at most once a second. */
import { conditionName, type PartitionCondition } from '../../runtime/condition.ts';
import type { Services } from '../../services/services.ts';

export interface ServerProblem {
  readonly partition: number;
  readonly problem: 'cannot write to its storage' | 'exchanges no messages with another partition' | 'does not answer';
}

const keptMilliseconds = 1_000;
const answerMillisecondsMax = 2_000;

interface Asked {
  readonly at: number;
  readonly problems: Promise<readonly ServerProblem[]>;
}

/** By the services of a thread. */
const asked = new WeakMap<Services, Asked>();

export function serverProblems(services: Services): Promise<readonly ServerProblem[]> {
  const now = services.now();
  const known = asked.get(services);
  if (known !== undefined && now < known.at + keptMilliseconds) return known.problems;
  const problems = problemsOf(services);
  asked.set(services, { at: now, problems });
  return problems;
}

async function problemsOf({ client, snapshots }: Services): Promise<ServerProblem[]> {
  const partitions = Array.from({ length: snapshots.placement.partitions }, (_, partition) => partition);
  const found = partitions.map(async (partition): Promise<ServerProblem[]> => {
    const condition = await inTime(client.control<PartitionCondition>(partition, conditionName, {}));
    if (condition === undefined) return [{ partition, problem: 'does not answer' }];
    const { canWrite, frozenChannels } = condition;
    return [
      ...(canWrite ? [] : [{ partition, problem: 'cannot write to its storage' } as const]),
      ...(frozenChannels.length === 0
        ? []
        : [{ partition, problem: 'exchanges no messages with another partition' } as const]),
    ];
  });
  return (await Promise.all(found)).flat();
}

/** Undefined for an answer that does not come. */
function inTime<Value>(answer: Promise<Value>): Promise<Value | undefined> {
  return new Promise((resolve) => {
    const deadline = setTimeout(() => resolve(undefined), answerMillisecondsMax);
    answer
      .catch(() => undefined)
      .then((value) => {
        clearTimeout(deadline);
        resolve(value);
      });
  });
}
