/** GET /health, for whoever watches the server: a gateway that answers and can read. */
import { z } from 'zod';
import { storedSettings } from '../../../actors/instance/instance.queries.ts';
import { json } from '../../http/answers.ts';
import { endpoint } from '../../route.ts';

export const getHealth = endpoint({
  method: 'GET',
  path: '/health',
  authentication: 'none',
  rateLimit: 'none',
  summary: 'Whether the server works.',
  answer: z.strictObject({ status: z.literal('UP') }),
  handler({ services }) {
    storedSettings(services.snapshots);
    return json({ status: 'UP' });
  },
});
