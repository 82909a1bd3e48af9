/** What deliveries of activities need from outside; create-delivery.ts makes it. Tests run them in simulated time. */
import type { Delivery, DeliveryResult } from '../../outbound/fetcher/deliver.ts';
import type { PostDialects } from '../../outbound/fetcher/other-dialect.ts';
import type { LanePorts } from '../../outbound/lanes/ports.ts';
import type { RequestToSign, SignedHeaders } from '../../outbound/signatures/sign-request.ts';
import type { Trace } from '../../runtime/tracing/trace.ts';
import type { GoneInbox } from './gone-inbox.ts';

export interface DeliveryPorts extends LanePorts {
  sign(request: RequestToSign): Promise<SignedHeaders>;
  /** Never rejects. */
  send(delivery: Delivery): Promise<DeliveryResult>;
  /** A personal inbox does not exist any more. */
  inboxGone(gone: GoneInbox): void;
  /** Nothing is sent to this host[:port] any more. */
  isSuspended(host: string): boolean;
  /** In which form to sign for each host. */
  readonly dialects: PostDialects;
  readonly trace?: Trace | undefined;
}
