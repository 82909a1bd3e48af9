/** Whole turns: a message through a partition over a log in memory, from submission to reply. */
import { pino } from 'pino';
import { z } from 'zod';
import { record } from '../../src/runtime/codec.ts';
import { type ActorKind, call, contract, implement } from '../../src/runtime/contract.ts';
import { composeId } from '../../src/runtime/ids.ts';
import { allocateMetrics } from '../../src/runtime/metrics/layout.ts';
import { Metrics } from '../../src/runtime/metrics/metrics.ts';
import type { Partition } from '../../src/runtime/partition/partition.ts';
import type { Turn } from '../../src/runtime/partition/turn.ts';
import { evenPlacement } from '../../src/runtime/placement.ts';
import { id, keyspace } from '../../src/runtime/storage/keyspace.ts';
import { MeasuredTurns, measuredLog } from '../../src/runtime/threads/owner-metrics.ts';
import { traceOfLog } from '../../src/runtime/tracing/trace.ts';
import { MemoryLog } from '../../test/support/memory-log.ts';
import { PartitionHost } from '../../test/support/partition-host.ts';
import { Tasks } from '../../test/support/schedule.ts';
import type { MicroBench } from './micro-bench.ts';

const Count = z.object({ count: z.number() });
const counts = keyspace<[bigint], z.infer<typeof Count>>({
  number: 200,
  name: 'bench counts',
  owner: 'counter',
  key: [id('counter')],
  value: record(Count),
  bound: { by: 'owner', reason: 'gone with the bench' },
});

const counterKind: ActorKind<bigint> = { kind: 200, name: 'counter' };
const Counter = contract(counterKind, {
  add: call(1, z.object({ amount: z.number() }), z.object({ count: z.number() })),
});

const counter = implement<Turn<bigint>>()(Counter, {
  add(turn, { amount }) {
    const count = (turn.get(counts, [turn.self.key])?.count ?? 0) + amount;
    turn.put(counts, [turn.self.key], { count });
    return { count };
  },
});

const turnsPerRun = 64;

/** A partition whose work runs when `settle` is called; replies are counted. */
class BenchPartition {
  replies = 0;
  readonly partition: Partition;
  private readonly tasks = new Tasks();

  constructor({ isMeasured = false, isTraced = false }: Watching) {
    const log = new MemoryLog();
    const { tasks } = this;
    log.onAppend = () => tasks.soon(() => log.complete());
    const metrics = new Metrics(allocateMetrics());
    // As an owner thread measures turns and commits.
    const watch = new MeasuredTurns(metrics, [counter], undefined);
    this.partition = new PartitionHost(evenPlacement(1), () => ({ actors: [counter], keyspaces: [counts] })).start(0, {
      log: isMeasured ? measuredLog(log, metrics, 0) : log,
      schedule: {
        clock: { now: () => 1_700_000_000_000, monotonic: () => 0 },
        soon: tasks.soon,
        wakeIn: () => undefined,
      },
      wire: {
        reply: () => {
          this.replies += 1;
        },
        report: ({ message, error }) => {
          throw new Error(message, { cause: error });
        },
        ...(isMeasured && { watch }),
        ...(isTraced && { trace }),
      },
    });
    void this.partition.open(1);
    this.settle();
  }

  settle(): void {
    this.tasks.run();
  }
}

/** As a thread traces, but for where the lines go. */
const logger = pino({ base: { thread: 'owner 0' } }, pino.destination('/dev/null'));
const trace = traceOfLog((cause, { text, details }) => logger.info({ cause, ...details }, text));

interface Watching {
  readonly isMeasured?: boolean;
  readonly isTraced?: boolean;
}

const aTurn = 'a turn with one get and one put';

export const turnBenches: readonly MicroBench[] = [
  turnBench(`${aTurn}, ${turnsPerRun} in a batch`, {}),
  turnBench(`${aTurn}, measured`, { isMeasured: true }),
  turnBench(`${aTurn}, traced`, { isTraced: true }),
];

function turnBench(name: string, watching: Watching): MicroBench {
  return {
    name,
    operations: turnsPerRun,
    prepare() {
      const bench = new BenchPartition(watching);
      const cause = watching.isTraced === true ? '0123456789abcdef' : undefined;
      const keys = Array.from({ length: turnsPerRun }, (_, index) => composeId(1_700_000_000_000, index, 0));
      return {
        run() {
          const before = bench.replies;
          for (const [index, key] of keys.entries())
            bench.partition.submit({
              envelope: Counter.add.to(key, { amount: 1 }),
              flow: 'system',
              replyTo: [0, 0, index],
              cause,
              deadline: Number.POSITIVE_INFINITY,
              bytes: 0,
            });
          bench.settle();
          if (bench.replies - before !== turnsPerRun) throw new Error('a turn was not answered');
        },
      };
    },
  };
}
