/** The services of a network thread, where all requests to other servers are made. */
import type { Trace } from '../runtime/flow.ts';
import type { Services } from './services.ts';

/** An operation runs on a network thread as it does on a gateway: for timers and imports. */
export interface NetworkServices extends Services {
  /** This thread among the network threads: hosts are divided between them. */
  readonly index: number;
  readonly count: number;
  /** Where requests are traced. */
  readonly trace?: Trace | undefined;
}

/** Answers questions of gateway threads on one topic (`Client.ask`). A Failure thrown reaches the one who asked. */
export type Answerer = (request: unknown) => Promise<unknown>;

/** Something that runs on a network thread from its start to its stop. */
export interface NetworkTask {
  start(): void;
  stop(): Promise<void>;
}
