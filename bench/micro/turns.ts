/** Whole turns: a message through a partition over a log in memory, from submission to reply. */
import { pino } from 'pino';
import { z } from 'zod';
import { record } from '../../src/runtime/codec.ts';
import { type ActorKind, call, contract, implement } from '../../src/runtime/contract.ts';
import type { Trace } from '../../src/runtime/flow.ts';
import { composeId } from '../../src/runtime/ids.ts';
import { allocateMetrics } from '../../src/runtime/metrics/layout.ts';
import { Metrics } from '../../src/runtime/metrics/metrics.ts';
import { Partition } from '../../src/runtime/partition/partition.ts';
import type { Turn } from '../../src/runtime/partition/turn.ts';
import { evenPlacement } from '../../src/runtime/placement.ts';
import type { PartitionPorts } from '../../src/runtime/ports.ts';
import { id, keyspace } from '../../src/runtime/storage/keyspace.ts';
import { MeasuredTurns, measuredLog } from '../../src/runtime/threads/owner-metrics.ts';
import { MemoryLog } from '../../test/support/memory-log.ts';
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
  private readonly work: (() => void)[] = [];

  constructor({ isMeasured = false, isTraced = false }: Watching) {
    const log = new MemoryLog();
    log.onAppend = () => void this.work.push(() => log.complete());
    this.partition = new Partition({
      number: 0,
      placement: evenPlacement(1),
      actors: [counter],
      keyspaces: [counts],
      ports: { ...this.createPorts(log), ...(isMeasured ? measuring(log) : {}), ...(isTraced ? { trace } : {}) },
    });
    void this.partition.open(1);
    this.settle();
  }

  settle(): void {
    for (let next = this.work.shift(); next !== undefined; next = this.work.shift()) next();
  }

  private createPorts(log: MemoryLog): PartitionPorts {
    const nothing = () => undefined;
    return {
      log,
      clock: { now: () => 1_700_000_000_000, monotonic: () => 0 },
      random: { bytes: (count) => new Uint8Array(count) },
      sendFrame: nothing,
      acknowledge: nothing,
      reply: () => {
        this.replies += 1;
      },
      runEffect: nothing,
      archiveLetters: nothing,
      publish: nothing,
      defer: (callback) => void this.work.push(callback),
      wakeIn: nothing,
      report: ({ message, error }) => {
        throw new Error(message, { cause: error });
      },
    };
  }
}

/** As an owner thread measures turns and commits. */
function measuring(log: MemoryLog): Pick<PartitionPorts, 'log' | 'watch'> {
  const metrics = new Metrics(allocateMetrics());
  return { log: measuredLog(log, metrics, 0), watch: new MeasuredTurns(metrics, [counter], undefined) };
}

/** As a thread traces, but for where the lines go. */
const logger = pino({ base: { thread: 'owner 0' } }, pino.destination('/dev/null'));
const trace: Trace = (cause, step, details) => logger.info({ cause, ...details }, step);

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
            });
          bench.settle();
          if (bench.replies - before !== turnsPerRun) throw new Error('a turn was not answered');
        },
      };
    },
  };
}
