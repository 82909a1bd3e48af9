/** How far the events of each partition have been dispatched on this gateway. */
import type { Services } from '../../services/services.ts';
import { Positions } from './position.ts';
import { publishedPosition } from './published-position.ts';

export class DispatchProgress {
  readonly dispatched: Positions;
  /** Settles when the position of each partition at the start of listening is known. */
  begun: Promise<void> = Promise.resolve();
  /** True after the loss of an owner thread, until it is known what was missed. */
  isBehind = false;
  private readonly services: Services;

  constructor(services: Services) {
    this.services = services;
    this.dispatched = new Positions(services.snapshots.partitions.length);
  }

  /** Asks each partition for its position; `learned` is called when all have answered. */
  begin(learned: () => void): void {
    this.begun = this.learn().then(learned);
  }

  /** Never rejects: where a partition does not answer, its first event gives the position. */
  private async learn(): Promise<void> {
    const { snapshots, report } = this.services;
    try {
      await Promise.all(snapshots.partitions.map((_, partition) => this.learnOf(partition)));
    } catch (error) {
      report({ level: 'warn', message: 'a partition did not report the position of its event log', error });
    }
    this.isBehind = false;
  }

  private async learnOf(partition: number): Promise<void> {
    const published = await publishedPosition(this.services, partition);
    const known = this.dispatched.at(partition);
    if (known === undefined || known.commit < published.commit) this.dispatched.moveTo(published);
  }
}
