/** GET /health, for monitoring; clients that accept JSON get the problems, and those of the last seconds. */
import { bytes, json } from '../../http/answers.ts';
import { Health, healthOf, healthWords } from '../../operator/health/health.ts';
import { endpoint } from '../../route.ts';

export const getHealth = endpoint({
  method: 'GET',
  path: '/health',
  authentication: 'optional',
  rateLimit: 'none',
  summary: 'Whether the server works.',
  answer: Health,
  async handler({ services, request }) {
    const health = await healthOf(services);
    const status = health.status === 'UP' ? 200 : 503;
    if (request.joinedHeader('accept')?.includes('application/json') === true) return json(health, { status });
    return bytes(healthWords[health.status], { contentType: 'text/plain; charset=utf-8', status });
  },
});
