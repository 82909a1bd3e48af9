/**
 * Delivers the entries of logs to the hosts that this network thread serves. Knows nothing of what they contain: log.ts
 * says how something else is sent.
 *
 *   partitions' logs -> log-reader (one per partition) -> lane-queue (one per host)
 *     -> lane-scheduler: make a request, send -> apply-outcome -> lane-queue, lane-health -> progress-writer -> logs
 *
 * To change when to try again: retry-policy.ts. What a response means: http-outcome.ts. Bounds: limits.ts.
 */

import type { DeliveryDecision } from '../../actors/instance/servers/servers.events.ts';
import { slotOfKey } from '../../runtime/ids.ts';
import type { Placement } from '../../runtime/ports.ts';
import type { LaneReport } from '../../services/delivery-lanes.ts';
import type { EventHub } from '../../services/event-hub.ts';
import type { NetworkTask } from '../../services/network-services.ts';
import type { Lane } from './lane.ts';
import { countLanes, type LaneCounts, reportLanes } from './lane-report.ts';
import { LaneScheduler } from './lane-scheduler.ts';
import { laneLimits } from './limits.ts';
import type { DeliveryLog } from './log.ts';
import { LogReader } from './log-reader.ts';
import type { LanePorts } from './ports.ts';
import { ProgressWriter } from './progress-writer.ts';
import { QueueBudget } from './queue-budget.ts';

export interface LanesOptions {
  /** One for each partition. A host is in the partition of its name. */
  readonly logs: readonly DeliveryLog[];
  readonly events: Pick<EventHub, 'subscribe' | 'onLoss'>;
  /** The number of the event that a partition emits when its log has grown. */
  readonly appendedEvent: number;
  readonly placement: Pick<Placement, 'networkOf' | 'partitionOf'>;
  /** The number of this thread among those that deliver; the placement divides hosts between them. */
  readonly index: number;
  /** Whether staff have stopped deliveries to the host[:port]; to none, when absent. `decided` tells of changes. */
  readonly holds?: (host: string) => boolean;
  /** For the entries in memory, and for the queues of all lanes. */
  readonly entryBytesMax: number;
  readonly queueBytesMax: number;
  /** How long progress waits to be stored, and what a crash may repeat; a tenth of a second by default. */
  readonly progressMilliseconds?: number;
  readonly ports: LanePorts;
}

interface PartitionLanes {
  readonly reader: LogReader;
  readonly writer: ProgressWriter;
}

export class Lanes implements NetworkTask {
  readonly queues: QueueBudget;
  private readonly options: LanesOptions;
  private readonly scheduler: LaneScheduler;
  private readonly partitions: readonly PartitionLanes[];
  private readonly onMoved = (lane: Lane): void => this.partitions[lane.log.partition]!.writer.add(lane);

  constructor(options: LanesOptions) {
    this.options = options;
    const { ports, logs, queueBytesMax } = options;
    this.scheduler = new LaneScheduler({ ports, onMoved: this.onMoved });
    this.queues = new QueueBudget({ bytesMax: queueBytesMax, lanes: () => this.lanes() });
    this.partitions = logs.map((log, partition) => this.createPartition(log, partition));
  }

  /** Entries in memory. */
  get bytes(): number {
    return this.partitions.reduce((sum, { reader }) => sum + reader.entries.bytes, 0);
  }

  start(): void {
    const { events, appendedEvent } = this.options;
    events.subscribe((batch) => {
      if (batch.events.some(({ event }) => event === appendedEvent)) this.partitions[batch.partition]!.reader.read();
    });
    events.onLoss(() => {
      for (const { reader } of this.partitions) reader.read();
    });
    for (const { reader } of this.partitions) reader.start();
  }

  /** Lets running requests end, within a deadline, and stores the progress of the lanes. */
  async stop(milliseconds: number = laneLimits.stopMilliseconds): Promise<void> {
    for (const { reader } of this.partitions) reader.stop();
    await this.scheduler.stop(milliseconds);
    await Promise.all(this.partitions.map(({ writer }) => writer.stop()));
  }

  /** This host[:port] has proved to be alive. */
  heardFrom(host: string): void {
    const lane = this.laneAt(host);
    if (lane !== undefined) this.scheduler.heardFrom(lane);
  }

  /** Tries a host[:port] of this thread at once if it is failing, or all that are; returns how many. */
  retry(host: string | undefined): number {
    const lane = host === undefined ? undefined : this.laneAt(host);
    const lanes = host === undefined ? [...this.lanes()] : lane === undefined ? [] : [lane];
    const failing = lanes.filter(({ health }) => health.isFailing);
    this.scheduler.forgive(failing);
    return failing.length;
  }

  /** Staff have decided about a host[:port], and the hosts for which `isConcerned`. */
  decided(host: string, isConcerned: (host: string) => boolean, decision: DeliveryDecision): void {
    // A lane that failed before the start may have nothing to do yet.
    this.laneAt(host);
    const lanes = [...this.lanes()].filter((lane) => isConcerned(lane.host));
    this.hold(lanes);
    if (decision === 'restarted') this.scheduler.forgive(lanes.filter(({ health }) => health.isFailing));
    if (decision === 'cleared') this.scheduler.clear(lanes);
  }

  /** Any decision may have been missed. */
  heldAnew(): void {
    this.hold([...this.lanes()]);
  }

  /** Hosts that this thread has delivered to since its start, those with the most pending first. */
  laneReport(): LaneReport[] {
    return reportLanes(this.lanes(), this.options.ports);
  }

  /** The same of some of them. */
  reportOf(hosts: ReadonlySet<string>): LaneReport[] {
    return reportLanes(
      [...this.lanes()].filter(({ host }) => hosts.has(host)),
      this.options.ports,
    );
  }

  laneCounts(): LaneCounts {
    return countLanes(this.lanes());
  }

  private hold(lanes: readonly Lane[]): void {
    for (const lane of lanes) {
      const isHeld = this.holds(lane.host);
      if (lane.isHeld === isHeld) continue;
      lane.isHeld = isHeld;
      this.scheduler.look(lane);
    }
  }

  private holds(host: string): boolean {
    return this.options.holds?.(host) === true;
  }

  private laneAt(host: string): Lane | undefined {
    return this.partitions[this.options.placement.partitionOf(slotOfKey(host))]!.reader.laneAt(host);
  }

  private *lanes(): Generator<Lane> {
    for (const { reader } of this.partitions) for (const lane of reader.lanes.values()) if (lane !== null) yield lane;
  }

  private createPartition(log: DeliveryLog, partition: number): PartitionLanes {
    const { ports, logs, placement, entryBytesMax, index } = this.options;
    const { progressMilliseconds = laneLimits.progressMilliseconds } = this.options;
    const reader: LogReader = new LogReader({
      partition,
      log,
      entryBytesMax: entryBytesMax / logs.length,
      clock: ports,
      defer: (callback) => ports.defer(callback),
      holds: (host) => this.holds(host),
      serves: (host) => placement.networkOf(slotOfKey(host)) === index,
      onQueued: () => this.queues.add(),
      onWork: (lane) => this.scheduler.look(lane),
      onMoved: this.onMoved,
      onRead: () => writer.logRead(),
    });
    const writer = new ProgressWriter(log, reader, ports, progressMilliseconds);
    return { reader, writer };
  }
}
