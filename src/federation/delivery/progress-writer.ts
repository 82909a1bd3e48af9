/**
 * Stores the progress of the lanes of one partition, in batches a tenth of a second after the first change. Deliveries
 * after the last batch are sent again after a crash: receivers recognise an activity by its id.
 */
import { PartitionActor } from '../../actors/partition/partition.messages.ts';
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
  private dueAt = Number.POSITIVE_INFINITY;
  private writing: Promise<void> | undefined;
  /** The lowest sequence needed, computed rarely because that examines every lane; and whether it may have risen. */
  private floor = 0;
  private isFloorOld = false;
  private floorAt = Number.NEGATIVE_INFINITY;
  /** The floor that was reported to the partition, and whether it has more to trim. */
  private toldFloor = 0;
  private hasMoreToTrim = false;
  private isStopped = false;

  constructor(log: DeliveryLog, name: LogReaderName, ports: EgressPorts) {
    this.log = log;
    this.name = name;
    this.ports = ports;
  }

  /** A lane has made progress, or the health of its host has changed. */
  add(lane: Lane): void {
    if (lane.hasMoved) return;
    lane.hasMoved = true;
    this.moved.push(lane);
    this.isFloorOld = true;
    this.arm(egressLimits.progressMilliseconds);
  }

  /** The log was read further: its beginning may be no longer needed, although no lane has made progress. */
  logRead(): void {
    this.isFloorOld = true;
    this.arm(egressLimits.floorMilliseconds);
  }

  /** Stores everything that is left; afterwards nothing is written on its own. */
  async stop(): Promise<void> {
    this.isStopped = true;
    this.cancel?.();
    await this.writing;
    // One attempt per commit: what fails now is sent again after the next start.
    for (let commits = Math.ceil(this.moved.length / egressLimits.lanesPerCommit) + 1; commits > 0; commits -= 1)
      await this.write();
  }

  private arm(milliseconds: number): void {
    const at = this.ports.monotonic() + milliseconds;
    if (at >= this.dueAt || this.writing !== undefined || this.isStopped) return;
    this.cancel?.();
    this.dueAt = at;
    this.cancel = this.ports.schedule(milliseconds, () => {
      this.dueAt = Number.POSITIVE_INFINITY;
      this.writing = this.write().then((isWritten) => {
        this.writing = undefined;
        this.armAgain(isWritten);
      });
    });
  }

  private armAgain(isWritten: boolean): void {
    if (!isWritten) this.arm(egressLimits.progressRetryMilliseconds);
    else if (this.moved.length >= egressLimits.lanesPerCommit) this.arm(0);
    else if (this.moved.length > 0 || this.hasMoreToTrim) this.arm(egressLimits.progressMilliseconds);
    else if (this.isFloorOld) this.arm(egressLimits.floorMilliseconds);
  }

  /** One commit, if there is anything to store; returns false when it failed. */
  private async write(): Promise<boolean> {
    const lanes = this.moved.splice(0, egressLimits.lanesPerCommit);
    for (const lane of lanes) lane.hasMoved = false;
    const floor = this.currentFloor();
    if (lanes.length === 0 && floor === this.toldFloor && !this.hasMoreToTrim) return true;
    const { index, count } = this.name;
    const message = { reader: index, readers: count, lanes: lanes.map((lane) => lane.progress(this.ports)), floor };
    try {
      const { more } = await this.ports.call(
        PartitionActor.progressed.to(BigInt(this.log.partition), message),
        'system',
      );
      this.toldFloor = floor;
      this.hasMoreToTrim = more;
      return true;
    } catch (error) {
      this.ports.report({ level: 'warn', message: 'the progress of deliveries could not be stored', error });
      for (const lane of lanes) this.add(lane);
      return false;
    }
  }

  private currentFloor(): number {
    const now = this.ports.monotonic();
    if (this.isStopped || (this.isFloorOld && now - this.floorAt >= egressLimits.floorMilliseconds)) {
      this.floor = this.log.floor();
      this.isFloorOld = false;
      this.floorAt = now;
    }
    return this.floor;
  }
}
