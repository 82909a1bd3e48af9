/**
 * GET /health, for whoever watches the server: a gateway that answers and can read. `OK` as Mastodon's, because its tools
 * compare the text; JSON for those who accept it.
 */
import { z } from 'zod';
import { storedSettings } from '../../../actors/instance/instance.queries.ts';
import { bytes, json } from '../../http/answers.ts';
import { endpoint } from '../../route.ts';

export const getHealth = endpoint({
  method: 'GET',
  path: '/health',
  authentication: 'optional',
  rateLimit: 'none',
  summary: 'Whether the server works.',
  answer: z.strictObject({ status: z.literal('UP') }),
  handler({ services, request }) {
    storedSettings(services.snapshots);
    const acceptsJson = request.joinedHeader('accept')?.includes('application/json') ?? false;
    return acceptsJson ? json({ status: 'UP' }) : bytes('OK', { contentType: 'text/plain; charset=utf-8' });
  },
});
