/**
 * How a node leaves the service of its cluster by itself, at the word of the operator. It ends like a server that is told to
 * stop; its exit code tells whatever started it what was meant.
 */
import type { AdminAnswer } from '../../gateway/operator/admin/requests.ts';
import type { Member } from './member.ts';

/** Ended to stand by: it is to be started again. EX_TEMPFAIL of sysexits.h, a failure for `Restart=on-failure`. */
const startAgainCode = 75;

/** What the commands of a node that serves do. */
export interface ServingNode {
  handOver(): Promise<AdminAnswer>;
  leave(): Promise<AdminAnswer>;
}

export class Departure {
  private readonly request = new AbortController();
  private exitCode: number | undefined;

  /** Aborted when this node is to end. */
  get signal(): AbortSignal {
    return this.request.signal;
  }

  /** With which the process ends; undefined where it does not depart. */
  get code(): number | undefined {
    return this.exitCode;
  }

  /** Ends for good. */
  leave(): void {
    this.end(0);
  }

  ofServing(member: Member): ServingNode {
    const toSuccessor = async (code: number, done: (name: string) => string): Promise<AdminAnswer> => {
      const successor = await member.successor();
      if (successor === undefined) return { ok: false, sentence: noSuccessor };
      this.end(code);
      return { ok: true, lines: [done(successor)] };
    };
    return {
      handOver: () =>
        toSuccessor(
          startAgainCode,
          (name) => `${name} takes over. This node ends, to stand by when it is started again.`,
        ),
      leave: () => toSuccessor(0, (name) => `${name} takes over. This node ends.`),
    };
  }

  /** The answer is on its way first. */
  private end(code: number): void {
    this.exitCode = code;
    setImmediate(() => this.request.abort());
  }
}

const noSuccessor =
  'No node stands by that is up to date with the logs: nobody could take over. To end this one all the same, stop it.';
