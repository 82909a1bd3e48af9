/**
 * An operation that has invalidated what gateways cache (a block, a revoked token, a suspension, an edit) is answered only
 * when every gateway has applied its events, so that no stream later shows what should be hidden, and no answer the old
 * state. `operation` waits here when the calls that it made tell that they have invalidated something. With a single
 * gateway it costs nothing: the asking thread has dispatched the events already, because they arrive before the reply of
 * their call.
 */
import { hiddenAccountsChanged } from '../actors/account/relationships/relationships.events.ts';
import { tokenRevoked } from '../actors/session/session.events.ts';
import type { Problem } from '../runtime/ports.ts';
import type { Client } from '../runtime/threads/client.ts';
import type { EventHub } from './event-hub.ts';

/** Commits with these events can be awaited: a thread with a barrier listens to them. */
export const awaitedEvents: readonly number[] = [hiddenAccountsChanged.number, tokenRevoked.number];

export const barrierTopic = 'events applied';

export interface RevocationBarrierOptions {
  readonly client: Client;
  readonly events: EventHub;
  /** The other gateways, to wait for. */
  readonly gateways: readonly number[];
  report(problem: Problem): void;
}

interface Waiting {
  readonly commits: ReadonlyMap<number, number>;
  applied(): void;
}

const deadlineMilliseconds = 1_000;

export class RevocationBarrier {
  private readonly options: RevocationBarrierOptions;
  /** The last commit of each partition whose events were dispatched here. */
  private readonly dispatched = new Map<number, number>();
  /** By partition. */
  private commitsBefore: readonly number[] = [];
  private waiting: Waiting[] = [];

  constructor(options: RevocationBarrierOptions) {
    this.options = options;
  }

  /**
   * Call after everything else has subscribed: then whatever the barrier has seen is applied. Commits made before the
   * thread cached anything count as applied too: a replacement thread never makes others wait for events that it will
   * not get.
   */
  start(commitsBefore: readonly number[]): void {
    this.commitsBefore = commitsBefore;
    this.options.events.subscribe(({ partition, commit }) => {
      this.dispatched.set(partition, commit);
      this.settleWaiting();
    });
  }

  /** Whether there are other gateways to wait for. */
  get hasOthers(): boolean {
    return this.options.gateways.length > 0;
  }

  /** Resolves when the gateways have applied what this thread has; after a second at the latest, which is reported. */
  async appliedEverywhere(): Promise<void> {
    const { client, gateways, report } = this.options;
    const commits = new Map(this.dispatched);
    try {
      await Promise.all(gateways.map((number) => client.ask('gateway', number, barrierTopic, commits)));
    } catch (error) {
      report({ level: 'warn', message: 'a gateway did not confirm a revocation', error });
    }
  }

  /** Answers the request of another thread. */
  answer(commits: ReadonlyMap<number, number>): Promise<void> {
    if (this.hasReached(commits)) return Promise.resolve();
    return new Promise((resolve) => {
      const waiting = {
        commits,
        applied: () => {
          clearTimeout(deadline);
          resolve();
        },
      };
      const deadline = setTimeout(() => {
        this.waiting = this.waiting.filter((other) => other !== waiting);
        this.options.report({
          level: 'warn',
          message: 'events are late: a revocation was answered before every gateway had applied it',
        });
        resolve();
      }, deadlineMilliseconds);
      this.waiting.push(waiting);
    });
  }

  private settleWaiting(): void {
    if (this.waiting.length === 0) return;
    const reached = this.waiting.filter(({ commits }) => this.hasReached(commits));
    if (reached.length === 0) return;
    this.waiting = this.waiting.filter((waiting) => !reached.includes(waiting));
    for (const { applied } of reached) applied();
  }

  private hasReached(commits: ReadonlyMap<number, number>): boolean {
    for (const [partition, commit] of commits) {
      const applied = Math.max(this.dispatched.get(partition) ?? 0, this.commitsBefore[partition] ?? 0);
      if (applied < commit) return false;
    }
    return true;
  }
}
