/**
 * Fetches what relays have named, with little of what this server has: some at a time, few of one host, and dropped where
 * more than a bound wait for that. Each status is fetched once, however many relays name it.
 */
import { Failure } from '../../runtime/errors.ts';
import { hostOf } from '../documents/values.ts';
import { mayPass } from '../failures.ts';
import { activityLimits } from '../limits.ts';
import { HostTurns } from './host-turns.ts';
import type { RemoteStatuses } from './remote-statuses.ts';

export class RelayedFetches {
  private readonly statuses: Pick<RemoteStatuses, 'relayed'>;
  private readonly fetching = new Map<string, Promise<boolean>>();
  private readonly turns = new HostTurns({
    runningMax: activityLimits.relayedFetchesAtOnceMax,
    perHostMax: activityLimits.relayedFetchesPerHostMax,
  });

  constructor(statuses: Pick<RemoteStatuses, 'relayed'>) {
    this.statuses = statuses;
  }

  /** Whether it was stored. Rejects with Failure overloaded. */
  fetch(uri: string): Promise<boolean> {
    const running = this.fetching.get(uri);
    if (running !== undefined) return running;
    if (this.fetching.size >= activityLimits.relayedFetchesWaitingMax) return Promise.reject(new Failure('overloaded'));
    const fetched = this.inTurn(uri).finally(() => this.fetching.delete(uri));
    this.fetching.set(uri, fetched);
    return fetched;
  }

  private async inTurn(uri: string): Promise<boolean> {
    const host = hostOf(uri) ?? '';
    await this.turns.enter(host);
    try {
      return await this.statuses.relayed(uri);
    } catch (error) {
      if (mayPass(error)) return false;
      throw error;
    } finally {
      this.turns.leave(host);
    }
  }
}
