/** What push messages need from outside; create-push.ts makes it. Tests run them in simulated time. */
import type { Trace } from '../../runtime/tracing/trace.ts';
import type { Delivery, DeliveryResult } from '../fetcher/deliver.ts';
import type { LanePorts } from '../lanes/ports.ts';

export const pushDrops = [
  /** More messages for the same subscription wait than it may have. */
  'overtaken',
  /** More messages wait than the log keeps. */
  'overwritten',
  /** It was tried often enough. */
  'given up',
] as const;
/** Why a message was not sent. */
export type PushDrop = (typeof pushDrops)[number];

export interface PushPorts extends LanePorts {
  /** Never rejects. */
  send(delivery: Delivery): Promise<DeliveryResult>;
  /** Counted for the operator. */
  dropped(why: PushDrop): void;
  readonly trace?: Trace | undefined;
}
