/** The ports of the lanes: tests run them with a simulated clock. create-delivery.ts makes the real ones. */

import type { Delivery, DeliveryResult } from '../../outbound/fetcher/deliver.ts';
import type { RequestToSign, SignedHeaders } from '../../outbound/signatures/sign-request.ts';
import type { Envelope } from '../../runtime/contract.ts';
import type { Flow, Trace } from '../../runtime/flow.ts';
import type { Clock, Problem } from '../../runtime/ports.ts';
import type { GoneInbox } from './gone-inbox.ts';
import type { Verdict } from './retry-policy.ts';

export interface EgressPorts extends Clock {
  /** From 0 up to 1 (excluded). */
  random(): number;
  /** Runs the callback soon, after the thread's other pending work. */
  defer(callback: () => void): void;
  /** Runs the callback once after a time; the function returned cancels it. */
  schedule(milliseconds: number, callback: () => void): () => void;
  sign(request: RequestToSign): Promise<SignedHeaders>;
  /** Never rejects. */
  send(delivery: Delivery): Promise<DeliveryResult>;
  call<Reply>(envelope: Envelope<Reply>, flow: Flow): Promise<Reply>;
  /** A request has ended; counted for the operator. */
  attempted(verdict: Verdict): void;
  /** The wait of a failing host was shortened; counted for the operator. */
  waitShortened(): void;
  /** A personal inbox does not exist any more. */
  inboxGone(gone: GoneInbox): void;
  report(problem: Problem): void;
  readonly trace?: Trace | undefined;
}
