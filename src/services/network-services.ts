/** The services of a network thread, where all requests to other servers are made. */

import type { Pool } from '../runtime/pool.ts';
import type { Trace } from '../runtime/tracing/trace.ts';
import type { Services } from './services.ts';

/** Operations run on a network thread as they do on a gateway: for timers and imports. */
export interface NetworkServices extends Services {
  /** The number of this network thread: hosts are divided between them. */
  readonly index: number;
  readonly count: number;
  /** Reads documents of other servers. */
  readonly htmlPool: Pool;
  /** Decode pictures, and films and sounds, of strangers: in processes of their own. */
  readonly mediaPool: Pool;
  readonly filmPool: Pool;
  /** Where mail is written to where there is no SMTP server. */
  readonly mailFolder: string;
  /** Where requests are traced. */
  readonly trace?: Trace | undefined;
}

/**
 * Answers requests of gateway threads on one topic (`Client.ask`). A Failure that it throws is passed to the caller.
 */
export type Answerer = (request: unknown) => Promise<unknown>;

/** Runs on a network thread from its start to its stop. */
export interface NetworkTask {
  start(): void;
  stop(): Promise<void>;
}
