/**
 * Writes down how far the lanes of one partition have come: those that moved, together, a tenth of a second after the
 * first of them did. A crash repeats what was sent since, and receivers know an activity by its id.
 */
import { PartitionActor } from '../../../actors/partition/partition.messages.ts';
import type { DeliveryLog } from './delivery-log.ts';
import type { Lane } from './lane.ts';
import { egressLimits } from './limits.ts';
import type { EgressPorts } from './ports.ts';

/** Which of the threads that read the log this is. */
export interface LogReaderName {
  readonly index: number;
  readonly count: number;
}

export class ProgressWriter {
  private readonly log: DeliveryLog;
  private readonly name: LogReaderName;
  private readonly ports: EgressPorts;
  private moved: Lane[] = [];
  private cancel: (() => void) | undefined;
  private writing: Promise<void> | undefined;
  /** The lowest sequence needed, as the partition knows it; computed seldom, because it looks at every lane. */
  private floor = 0;
  private floorAt = Number.NEGATIVE_INFINITY;
  private isStopped = false;

  constructor(log: DeliveryLog, name: LogReaderName, ports: EgressPorts) {
    this.log = log;
    this.name = name;
    this.ports = ports;
  }

  add(lane: Lane): void {
    if (lane.hasMoved) return;
    lane.hasMoved = true;
    this.moved.push(lane);
    this.arm(egressLimits.progressMilliseconds);
  }

  /** Writes everything that is left; after this nothing is written on its own. */
  async stop(): Promise<void> {
    this.isStopped = true;
    this.cancel?.();
    await this.writing;
    // One attempt for each commit: what fails now is sent again after the next start.
    for (let commits = Math.ceil(this.moved.length / egressLimits.lanesPerCommit) + 1; commits > 0; commits -= 1)
      await this.write();
  }

  private arm(milliseconds: number): void {
    if (this.cancel !== undefined || this.writing !== undefined || this.isStopped) return;
    this.cancel = this.ports.schedule(milliseconds, () => {
      this.cancel = undefined;
      this.writing = this.write().then((nextMilliseconds) => {
        this.writing = undefined;
        if (nextMilliseconds !== undefined) this.arm(nextMilliseconds);
        else if (this.moved.length > 0) this.arm(egressLimits.progressMilliseconds);
      });
    });
  }

  /** One commit. Returns when the next one is due; undefined when nothing is left to write. */
  private async write(): Promise<number | undefined> {
    const lanes = this.moved.splice(0, egressLimits.lanesPerCommit);
    for (const lane of lanes) lane.hasMoved = false;
    const { index, count } = this.name;
    const message = {
      reader: index,
      readers: count,
      lanes: lanes.map((lane) => lane.progress()),
      floor: this.currentFloor(),
    };
    try {
      const { more } = await this.ports.call(
        PartitionActor.progressed.to(BigInt(this.log.partition), message),
        'system',
      );
      return this.waitAfter(message.floor, more);
    } catch (error) {
      this.ports.report({ level: 'warn', message: 'the progress of deliveries could not be written down', error });
      for (const lane of lanes) this.add(lane);
      return egressLimits.progressRetryMilliseconds;
    }
  }

  private waitAfter(floor: number, more: boolean): number | undefined {
    if (this.moved.length >= egressLimits.lanesPerCommit) return 0;
    if (this.moved.length > 0 || more) return egressLimits.progressMilliseconds;
    return this.log.floor() > floor ? egressLimits.floorMilliseconds : undefined;
  }

  private currentFloor(): number {
    const now = this.ports.now();
    if (this.isStopped || now - this.floorAt >= egressLimits.floorMilliseconds) {
      this.floor = this.log.floor();
      this.floorAt = now;
    }
    return this.floor;
  }
}
