/** Wakes lanes that wait for a retry or for a free connection. */
import { Alarms } from './alarms.ts';
import type { Lane } from './lane.ts';
import { laneLimits } from './limits.ts';
import type { LanePorts } from './ports.ts';

export class LaneTimers {
  private readonly ports: Pick<LanePorts, 'monotonic' | 'schedule'>;
  private readonly look: (lane: Lane) => void;
  private readonly alarms = new Alarms<Lane>();
  private armedFor = Number.POSITIVE_INFINITY;
  private disarm: (() => void) | undefined;
  private waitingForConnection: Lane[] = [];
  private cancelConnections: (() => void) | undefined;

  constructor(ports: Pick<LanePorts, 'monotonic' | 'schedule'>, look: (lane: Lane) => void) {
    this.ports = ports;
    this.look = look;
  }

  /** Sets the lane's alarm; a time in the past, or Infinity, removes it. */
  wake(lane: Lane, at: number, now: number): void {
    this.alarms.set(lane, at > now ? at : Number.POSITIVE_INFINITY);
    this.arm();
  }

  /** Wakes the lane when connections can be opened again; until then it counts as ready. */
  waitForConnection(lane: Lane, milliseconds: number): void {
    lane.isReady = true;
    this.waitingForConnection.push(lane);
    const wait = Math.max(milliseconds, laneLimits.connectionWaitMilliseconds);
    this.cancelConnections ??= this.ports.schedule(wait, () => this.connectionsOpen());
  }

  stop(): void {
    this.disarm?.();
    this.cancelConnections?.();
  }

  private connectionsOpen(): void {
    this.cancelConnections = undefined;
    const lanes = this.waitingForConnection;
    this.waitingForConnection = [];
    for (const lane of lanes) {
      lane.isReady = false;
      this.look(lane);
    }
  }

  private arm(): void {
    const at = this.alarms.nextAt;
    if (at >= this.armedFor) return;
    this.disarm?.();
    this.armedFor = at;
    const wait = Math.min(Math.max(0, at - this.ports.monotonic()), laneLimits.alarmMillisecondsMax);
    this.disarm = this.ports.schedule(wait, () => this.ring());
  }

  private ring(): void {
    this.armedFor = Number.POSITIVE_INFINITY;
    const now = this.ports.monotonic();
    for (let lane = this.alarms.take(now); lane !== undefined; lane = this.alarms.take(now)) this.look(lane);
    this.arm();
  }
}
