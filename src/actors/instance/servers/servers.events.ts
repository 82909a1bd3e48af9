/** The event of decisions about deliveries. Event numbers are append-only over all actors: this file has 86. */
import { z } from 'zod';
import { eventType } from '../../../runtime/events/event.ts';

const deliveryDecisions = ['stopped', 'restarted', 'cleared'] as const;
export type DeliveryDecision = (typeof deliveryDecisions)[number];

/** Lanes follow it: what was read of them meanwhile may be of before. */
export const deliveryDecided = eventType(
  86,
  'delivery decided',
  z.object({ domain: z.string(), decision: z.enum(deliveryDecisions) }),
);
