/** Events of the partition's own actor. Numbers 20 to 29: append-only. */
import { z } from 'zod';
import { eventType } from '../../runtime/events/event.ts';

/** The delivery log has grown up to this sequence. */
export const deliveryAppended = eventType(20, 'delivery appended', z.object({ sequence: z.number() }));
