/**
 * GET /health, for monitoring: a gateway that answers and can read every partition, and partitions that answer and can
 * write. `OK` as in Mastodon, because tools compare the text; clients that accept JSON get the problems, and those of
 * the last seconds that are over (`recent_problems`).
 */
import { z } from 'zod';
import { letterCounts } from '../../../runtime/letters.ts';
import { bytes, json } from '../../http/answers.ts';
import { endpoint } from '../../route.ts';

const problem = z.strictObject({ partition: z.int(), problem: z.string() });

export const getHealth = endpoint({
  method: 'GET',
  path: '/health',
  authentication: 'optional',
  rateLimit: 'none',
  summary: 'Whether the server works.',
  answer: z.strictObject({
    status: z.enum(['UP', 'DOWN']),
    problems: z.array(problem),
    recent_problems: z.array(problem),
    dead_letters: z.int(),
    archived_dead_letters: z.int(),
  }),
  async handler({ services, request }) {
    const acceptsJson = request.joinedHeader('accept')?.includes('application/json') ?? false;
    const { problems, recent } = await services.serverProblems.now();
    const isUp = problems.length === 0;
    const status = isUp ? 200 : 503;
    if (!acceptsJson) return bytes(isUp ? 'OK' : 'DOWN', { contentType: 'text/plain; charset=utf-8', status });
    const { kept, archived } = letterCounts(services.snapshots.partitions);
    const counts = { dead_letters: kept, archived_dead_letters: archived };
    return json({ status: isUp ? 'UP' : 'DOWN', problems, recent_problems: recent, ...counts }, { status });
  },
});
