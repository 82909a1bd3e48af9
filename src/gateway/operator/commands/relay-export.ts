/**
 * Reads the subscribers in the export of another relay: that of Activity-Relay (`subscriptions`, with `inbox_url`, `actor_id`
 * and `activity_id`), or a list of the hashes that pub-relay keeps (`inbox_url`, `follow_actor_id`, `follow_id`).
 */
import { z } from 'zod';
import { contentOf, UsageError } from './reading.ts';

const Exported = z.object({
  inbox_url: z.string(),
  actor_id: z.string().optional(),
  follow_actor_id: z.string().optional(),
  activity_id: z.string().optional(),
  follow_id: z.string().optional(),
});
const list = z.array(Exported);
const Export = z.union([list, z.object({ subscriptions: list }).transform(({ subscriptions }) => subscriptions)]);

export interface ExportedSubscriber {
  readonly inbox: string;
  readonly actor: string;
  readonly followId: string;
}

/** Throws UsageError for a file that cannot be read, or is no such export. */
export function readSubscribers(path: string): ExportedSubscriber[] {
  const { data } = Export.safeParse(parse(contentOf(path).toString('utf8')));
  if (data === undefined) throw new UsageError(`${path} is no export of a relay: a list of subscribers in JSON.`);
  return data.flatMap(({ inbox_url: inbox, ...one }) => {
    const actor = one.actor_id ?? one.follow_actor_id;
    const followId = one.activity_id ?? one.follow_id;
    return actor === undefined || followId === undefined ? [] : [{ inbox, actor, followId }];
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
