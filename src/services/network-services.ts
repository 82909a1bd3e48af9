/** What the services of a network thread work with: everything about talking to other servers runs here. */

import type { Options } from '../options/table.ts';
import type { Problem } from '../runtime/ports.ts';
import type { Snapshots } from '../runtime/storage/snapshots.ts';
import type { Client } from '../runtime/threads/client.ts';
import type { Addresses } from './addresses.ts';
import type { CleanRemoteHtml } from './clean-remote-html.ts';
import type { EventHub } from './event-hub.ts';

export interface NetworkServices {
  readonly options: Options;
  readonly addresses: Addresses;
  readonly client: Client;
  readonly snapshots: Snapshots;
  readonly events: EventHub;
  /** Makes HTML of other servers safe; synchronous for what needs no work. */
  readonly cleanHtml: CleanRemoteHtml;
  /** This thread among the network threads: hosts are divided between them. */
  readonly index: number;
  readonly count: number;
  now(): number;
  report(problem: Problem): void;
}

/** Answers questions of gateway threads on one topic (`Client.ask`). A Failure thrown reaches the one who asked. */
export type Answerer = (request: unknown) => Promise<unknown>;

/** Something that runs on a network thread from its start to its stop. */
export interface NetworkTask {
  start(): void;
  stop(): Promise<void>;
}
