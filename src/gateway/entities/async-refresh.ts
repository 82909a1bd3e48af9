/** The AsyncRefresh entity: work in the background that an answer has named. */
import { z } from 'zod';

export const AsyncRefreshEntity = z.object({
  async_refresh: z.object({ id: z.string(), status: z.enum(['running', 'finished']), result_count: z.number() }),
});
