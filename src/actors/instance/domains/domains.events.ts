/** The event of rules for other servers. Event numbers are append-only over all actors. */
import { z } from 'zod';
import { eventType, invalidation } from '../../../runtime/events/event.ts';
import { cacheables } from '../../cacheables.ts';

/** Rules for these domains, or which domains are allowed, have changed; for none of them: the mode of federation. */
export const domainPolicyChanged = eventType(
  43,
  'domain policy changed',
  z.object({ domains: z.array(z.string()) }),
  ({ domains }) =>
    domains.length === 0
      ? [invalidation(cacheables.domainRule, undefined)]
      : domains.map((domain) => invalidation(cacheables.domainRule, domain)),
);
