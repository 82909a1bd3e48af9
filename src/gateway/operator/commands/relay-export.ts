/**
 * Reads the subscribers in the export of another relay. Activity-Relay writes one object (`subscriptions`, and `followers` in
 * the form of LitePub) with `inbox_url`, `actor_id` and `activity_id`. Of pub-relay, and of the Redis of either, the hashes
 * below `relay:subscription:` are a list, or an object in each line (`redis-cli --json HGETALL`); those of pub-relay have
 * `follow_actor_id`, `follow_id` and `state`.
 */
import { z } from 'zod';
import { contentOf, UsageError } from './reading.ts';

const Exported = z.object({
  inbox_url: z.string(),
  actor_id: z.string().optional(),
  follow_actor_id: z.string().optional(),
  activity_id: z.string().optional(),
  follow_id: z.string().optional(),
  /** Of pub-relay. */
  state: z.string().optional(),
  /** Of followers: whether they have accepted the relay's own Follow. In Redis it is a text. */
  mutually_follow: z.union([z.boolean(), z.enum(['0', '1'])]).optional(),
});
type Exported = z.infer<typeof Exported>;
const list = z.array(Exported);
const Export = z.union([
  list,
  z
    .object({ subscriptions: list.nullish(), followers: list.nullish() })
    .refine(({ subscriptions, followers }) => subscriptions != null || followers != null)
    .transform(({ subscriptions, followers }) => [
      ...(subscriptions ?? []),
      ...(followers ?? []).map((one) => ({ ...one, mutually_follow: one.mutually_follow ?? false })),
    ]),
]);

export interface ExportedSubscriber {
  readonly inbox: string;
  readonly actor: string;
  readonly followId: string;
  /** Follows the actor of the relay, as LitePub has it. */
  readonly isFollower: boolean;
}

/** Throws UsageError for a file that cannot be read, or is no such export. */
export function readSubscribers(path: string): ExportedSubscriber[] {
  const { data } = Export.safeParse(parse(contentOf(path).toString('utf8')));
  if (data === undefined) throw new UsageError(`${path} is no export of a relay: a list of subscribers in JSON.`);
  return data.flatMap((one) => subscriberOf(one));
}

/** Who waits for an answer of the other relay, or has left it, subscribes to nothing. */
function subscriberOf({ inbox_url: inbox, state, mutually_follow: isMutual, ...one }: Exported): ExportedSubscriber[] {
  const actor = one.actor_id ?? one.follow_actor_id;
  const followId = one.activity_id ?? one.follow_id;
  const isSubscribed = state === undefined || state === 'Subscribed' || state === 'Failed';
  const hasConfirmed = isMutual === undefined || isMutual === true || isMutual === '1';
  if (actor === undefined || followId === undefined || !isSubscribed || !hasConfirmed) return [];
  return [{ inbox, actor, followId, isFollower: isMutual !== undefined }];
}

/** One value, or an object in each line. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  try {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    return lines.map((line) => JSON.parse(line) as unknown);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
