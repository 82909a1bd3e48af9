/**
 * Reads the subscribers in the export of another relay. Activity-Relay writes one object (`subscriptions`, and `followers` in
 * the form of LitePub, with the servers that it blocks or limits) to the error output, where lines of its log may stand
 * before it. Of the Redis of Activity-Relay and pub-relay, hashes below `relay:subscription:` and `relay:follower:` are a
 * list, or an object in each line (`redis-cli --json HGETALL`). Both leave out, or leave empty, what they do not know: the
 * actor and the Follow of servers that subscribed to an earlier version.
 */
import { z } from 'zod';
import { contentOf, UsageError } from './reading.ts';

const Exported = z.object({
  inbox_url: z.string(),
  actor_id: z.string().optional(),
  activity_id: z.string().optional(),
  /** Of pub-relay. */
  follow_actor_id: z.string().optional(),
  follow_id: z.string().optional(),
  state: z.enum(['Pending', 'Subscribed', 'Failed', 'Unsubscribed']).optional(),
  /** Of followers: whether they have accepted the relay's own Follow. In Redis it is a text. */
  mutually_follow: z.union([z.boolean(), z.enum(['0', '1'])]).optional(),
  /** Of a Follow below `relay:pending:`, which waits for the staff of Activity-Relay. */
  type: z.string().optional(),
});
type Exported = z.infer<typeof Exported>;
const list = z.array(Exported);
const names = z
  .array(z.string())
  .nullish()
  .transform((servers) => servers ?? []);
/** Go leaves out lists that are empty, and what is false. */
const WholeExport = z
  .object({
    relayConfig: z.object({}).optional(),
    subscriptions: list.nullish(),
    followers: list.nullish(),
    limitedDomains: names,
    blockedDomains: names,
  })
  .refine(({ relayConfig, subscriptions, followers }) => relayConfig ?? subscriptions ?? followers);
type WholeExport = z.infer<typeof WholeExport>;

export interface ExportedSubscriber {
  readonly inbox: string;
  readonly actor?: string;
  readonly followId?: string;
  /** Follows the actor of the relay, as LitePub has it. */
  readonly isFollower: boolean;
}

/** What the operation takes. */
export interface RelayExport {
  subscribers: ExportedSubscriber[];
  /** Servers that the other relay gave nothing, and took nothing from. */
  blocked: string[];
  /** Servers whose posts it did not pass on. */
  limited: string[];
}

/** Throws UsageError for a file that cannot be read, or is no such export. */
export function readExport(path: string): RelayExport {
  const found = exportIn(contentOf(path).toString('utf8'));
  if (found === undefined) throw new UsageError(`${path} is no export of a relay: a list of subscribers in JSON.`);
  return found;
}

function exportIn(text: string): RelayExport | undefined {
  const values = valuesIn(text);
  const [only] = values ?? [];
  const whole = values?.length === 1 ? WholeExport.safeParse(only).data : undefined;
  if (whole !== undefined) return ofWhole(whole);
  const listed = list.min(1).safeParse(values?.flat()).data;
  return listed && { subscribers: listed.flatMap((one) => subscriberOf(one)), blocked: [], limited: [] };
}

function ofWhole({ subscriptions, followers, blockedDomains, limitedDomains }: WholeExport): RelayExport {
  const all = [
    ...(subscriptions ?? []),
    ...(followers ?? []).map((one) => ({ ...one, mutually_follow: one.mutually_follow ?? false })),
  ];
  return { subscribers: all.flatMap((one) => subscriberOf(one)), blocked: blockedDomains, limited: limitedDomains };
}

/** Who waits for an answer of the other relay, or has left it, subscribes to nothing. */
function subscriberOf({ inbox_url: inbox, state, type, mutually_follow: isMutual, ...one }: Exported) {
  const isSubscribed = type === undefined && (state === undefined || state === 'Subscribed' || state === 'Failed');
  const hasConfirmed = isMutual === undefined || isMutual === true || isMutual === '1';
  if (!isSubscribed || !hasConfirmed) return [];
  const actor = one.actor_id || one.follow_actor_id;
  const followId = one.activity_id || one.follow_id;
  return [{ inbox, isFollower: isMutual !== undefined, ...(actor && { actor }), ...(followId && { followId }) }];
}

/** One value, or one in each line; lines of a log are passed over. */
function valuesIn(text: string): unknown[] | undefined {
  const whole = parse(text);
  if (whole !== undefined) return [whole];
  const values = text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => parse(line));
  return values.includes(undefined) ? undefined : values;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
