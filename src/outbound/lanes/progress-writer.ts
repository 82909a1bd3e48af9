/**
 * Stores the progress of the lanes of one partition, in batches a short time after the first change. After a crash,
 * deliveries since the last batch are sent again.
 */
import type { Lane } from './lane.ts';
import { laneLimits } from './limits.ts';
import type { DeliveryLog } from './log.ts';
import type { LogReader } from './log-reader.ts';
import type { LanePorts } from './ports.ts';

export class ProgressWriter {
  private readonly log: Pick<DeliveryLog, 'store'>;
  private readonly reader: Pick<LogReader, 'floor'>;
  private readonly ports: LanePorts;
  private readonly milliseconds: number;
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

  /** `milliseconds`: from the first change until it is stored. */
  constructor(
    log: Pick<DeliveryLog, 'store'>,
    reader: Pick<LogReader, 'floor'>,
    ports: LanePorts,
    milliseconds: number,
  ) {
    this.log = log;
    this.reader = reader;
    this.ports = ports;
    this.milliseconds = milliseconds;
  }

  /** A lane has made progress, or the health of its host has changed. */
  add(lane: Lane): void {
    if (lane.hasMoved) return;
    lane.hasMoved = true;
    this.moved.push(lane);
    this.isFloorOld = true;
    this.arm(this.milliseconds);
  }

  /** The log was read further: its beginning may be no longer needed, although no lane has made progress. */
  logRead(): void {
    this.isFloorOld = true;
    this.arm(laneLimits.floorMilliseconds);
  }

  /** Stores everything that is left, within a deadline; afterwards nothing is written on its own. */
  async stop(): Promise<void> {
    this.isStopped = true;
    this.cancel?.();
    await new Promise<void>((resolve) => {
      const cancel = this.ports.schedule(laneLimits.progressStopMilliseconds, resolve);
      void this.writeRest().then(() => {
        cancel();
        resolve();
      });
    });
  }

  private async writeRest(): Promise<void> {
    await this.writing;
    // One attempt per commit: what fails now is sent again after the next start.
    for (let commits = Math.ceil(this.moved.length / laneLimits.lanesPerCommit) + 1; commits > 0; commits -= 1)
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
    if (!isWritten) this.arm(laneLimits.progressRetryMilliseconds);
    else if (this.moved.length >= laneLimits.lanesPerCommit) this.arm(0);
    else if (this.moved.length > 0 || this.hasMoreToTrim) this.arm(this.milliseconds);
    else if (this.isFloorOld) this.arm(laneLimits.floorMilliseconds);
  }

  /** One commit, if there is anything to store; returns false when it failed. */
  private async write(): Promise<boolean> {
    const lanes = this.moved.splice(0, laneLimits.lanesPerCommit);
    for (const lane of lanes) lane.hasMoved = false;
    const floor = this.currentFloor();
    if (lanes.length === 0 && floor === this.toldFloor && !this.hasMoreToTrim) return true;
    try {
      const { more } = await this.log.store({ lanes: lanes.map((lane) => lane.progress(this.ports)), floor });
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
    if (this.isStopped || (this.isFloorOld && now - this.floorAt >= laneLimits.floorMilliseconds)) {
      this.floor = this.reader.floor();
      this.isFloorOld = false;
      this.floorAt = now;
    }
    return this.floor;
  }
}
