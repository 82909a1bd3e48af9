/**
 * GET /health, for whoever watches the server: a gateway that answers and can read. `OK` as Mastodon's, because its tools
 * compare the text; JSON for those who accept it.
 */
import { z } from 'zod';
import { storedSettings } from '../../../actors/instance/instance.queries.ts';
import { letterCounts } from '../../../runtime/letters.ts';
import { bytes, json } from '../../http/answers.ts';
import { endpoint } from '../../route.ts';

export const getHealth = endpoint({
  method: 'GET',
  path: '/health',
  authentication: 'optional',
  rateLimit: 'none',
  summary: 'Whether the server works.',
  answer: z.strictObject({ status: z.literal('UP'), dead_letters: z.int(), archived_dead_letters: z.int() }),
  handler({ services, request }) {
    storedSettings(services.snapshots);
    const acceptsJson = request.joinedHeader('accept')?.includes('application/json') ?? false;
    if (!acceptsJson) return bytes('OK', { contentType: 'text/plain; charset=utf-8' });
    const { kept, archived } = letterCounts(services.snapshots.partitions);
    return json({ status: 'UP', dead_letters: kept, archived_dead_letters: archived });
  },
});
