/**
 * Deliveries to other servers, for the hosts that this network thread serves.
 *
 *   partitions' logs -> delivery-log (one per partition) -> lane-queue (one per host)
 *     -> lane-scheduler: sign, send -> delivery-result -> lane-queue, lane-health -> progress-writer -> partitions
 *
 * To change what a response means or when to try again: retry-policy.ts. Order, superseding and expiry:
 * intent-rules.ts. Bounds: limits.ts. The form of activities: federation/documents.
 */
import { deliveryAppended } from '../../actors/partition/partition.events.ts';
import { slotOfKey } from '../../runtime/ids.ts';
import type { Placement } from '../../runtime/ports.ts';
import type { Snapshots } from '../../runtime/storage/snapshots.ts';
import type { Caches } from '../../services/caches.ts';
import type { LaneReport } from '../../services/delivery-lanes.ts';
import type { EventHub } from '../../services/event-hub.ts';
import type { NetworkTask } from '../../services/network-services.ts';
import { DeliveryLog } from './delivery-log.ts';
import type { Lane } from './lane.ts';
import { countLanes, type LaneCounts, reportLanes } from './lane-report.ts';
import { LaneScheduler } from './lane-scheduler.ts';
import type { EgressPorts } from './ports.ts';
import { type PreparationOptions, PreparedActivities } from './prepared-activities.ts';
import { ProgressWriter } from './progress-writer.ts';
import { QueueBudget } from './queue-budget.ts';

export interface EgressOptions {
  readonly caches: Caches;
  readonly snapshots: Snapshots;
  readonly placement: Pick<Placement, 'networkOf' | 'partitionOf'>;
  readonly events: EventHub;
  readonly ports: EgressPorts;
  readonly translate: PreparationOptions['translate'];
  readonly findSigner: PreparationOptions['findSigner'];
  /** The number of this thread among those that deliver; the placement divides hosts between them. */
  readonly index: number;
  readonly count: number;
}

interface PartitionLanes {
  readonly log: DeliveryLog;
  readonly writer: ProgressWriter;
}

export class Egress implements NetworkTask {
  private readonly options: EgressOptions;
  private readonly scheduler: LaneScheduler;
  private readonly queues: QueueBudget;
  private readonly partitions: readonly PartitionLanes[];
  private readonly onMoved = (lane: Lane): void => this.partitions[lane.log.partition]!.writer.add(lane);

  constructor(options: EgressOptions) {
    this.options = options;
    const { ports, snapshots, caches, translate, findSigner } = options;
    const activities = new PreparedActivities({
      bytesMax: caches.bytesMax('activities'),
      translate,
      findSigner,
      report: (problem) => ports.report(problem),
    });
    caches.measure('activities', activities);
    this.scheduler = new LaneScheduler({ ports, activities, onMoved: this.onMoved });
    this.queues = new QueueBudget({ bytesMax: caches.bytesMax('queuedDeliveries'), lanes: () => this.lanes() });
    caches.measure('queuedDeliveries', this.queues);
    this.partitions = snapshots.partitions.map((_, partition) => this.createPartition(partition));
    caches.measure('deliveries', this);
  }

  /** Deliveries in memory. */
  get bytes(): number {
    return this.partitions.reduce((sum, { log }) => sum + log.entries.bytes, 0);
  }

  start(): void {
    this.options.events.subscribe((batch) => {
      if (batch.events.some(({ event }) => event === deliveryAppended.number))
        this.partitions[batch.partition]!.log.read();
    });
    this.options.events.onLoss(() => {
      for (const { log } of this.partitions) log.read();
    });
    for (const { log } of this.partitions) log.start();
  }

  /** Lets running requests end, within a deadline, and stores the progress of the lanes. */
  async stop(): Promise<void> {
    for (const { log } of this.partitions) log.stop();
    await this.scheduler.stop();
    await Promise.all(this.partitions.map(({ writer }) => writer.stop()));
  }

  /** A request of an actor at this host[:port] was verified: the host is alive. */
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

  /** Hosts that this thread has delivered to since its start, those with the most pending first. */
  laneReport(): LaneReport[] {
    const logs = this.partitions.map(({ log }) => log);
    return reportLanes(logs, this.options.ports);
  }

  laneCounts(): LaneCounts {
    return countLanes(this.partitions.map(({ log }) => log));
  }

  private laneAt(host: string): Lane | undefined {
    return this.partitions[this.options.placement.partitionOf(slotOfKey(host))]!.log.laneAt(host);
  }

  private *lanes(): Generator<Lane> {
    for (const { log } of this.partitions) for (const lane of log.lanes.values()) if (lane !== null) yield lane;
  }

  private createPartition(partition: number): PartitionLanes {
    const { ports, snapshots, placement, caches, index, count } = this.options;
    const log: DeliveryLog = new DeliveryLog({
      partition,
      reader: snapshots.partitions[partition]!,
      entryBytesMax: caches.bytesMax('deliveries') / snapshots.partitions.length,
      clock: ports,
      defer: (callback) => ports.defer(callback),
      serves: (host) => placement.networkOf(slotOfKey(host)) === index,
      onQueued: () => this.queues.add(),
      onWork: (lane) => this.scheduler.look(lane),
      onMoved: this.onMoved,
      onRead: () => writer.logRead(),
    });
    const writer = new ProgressWriter(log, { index, count }, ports);
    return { log, writer };
  }
}
