/** Whether the server works, as a gateway sees it: it can read every partition, and these answer and can write. */
import { z } from 'zod';
import { letterCounts } from '../../../runtime/letters.ts';
import type { GatewayServices } from '../../gateway-services.ts';

const problem = z.strictObject({ partition: z.int(), problem: z.string() });

export const Health = z.strictObject({
  status: z.enum(['UP', 'DOWN']),
  problems: z.array(problem),
  /** Of the last seconds, which are over. */
  recent_problems: z.array(problem),
  dead_letters: z.int(),
  archived_dead_letters: z.int(),
});
export type Health = z.infer<typeof Health>;

export async function healthOf(services: Pick<GatewayServices, 'serverProblems' | 'snapshots'>): Promise<Health> {
  const { problems, recent } = await services.serverProblems.now();
  const { kept, archived } = letterCounts(services.snapshots.partitions);
  return {
    status: problems.length === 0 ? 'UP' : 'DOWN',
    problems: [...problems],
    recent_problems: [...recent],
    dead_letters: kept,
    archived_dead_letters: archived,
  };
}

/** As in Mastodon, because tools compare the text. */
export const healthWords: Readonly<Record<Health['status'], string>> = { UP: 'OK', DOWN: 'DOWN' };
