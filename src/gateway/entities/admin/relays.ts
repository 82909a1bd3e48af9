/** The entity of a relay that this server has joined, as staff see it: Admin::Relay (no Mastodon API has one). */
import { z } from 'zod';
import type { JoinedRelayView } from '../../../operations/relay/joined-relays.ts';
import { count, flag, id, text, time, timestamp } from '../values.ts';

export const AdminRelayEntity = z
  .strictObject({
    id,
    domain: text,
    inbox_url: text,
    actor_url: text.nullable(),
    /** `mastodon`: everything public is followed; `litepub`: the actor of the relay is. */
    protocol: z.enum(['mastodon', 'litepub']),
    state: z.enum(['pending', 'accepted', 'rejected']),
    created_at: time,
    state_changed_at: time,
    /** How deliveries to it go. */
    failing: flag,
    last_answer_at: time.nullable(),
    /**
     * What it has brought: activities in all, those that became statuses, edits or deletions here, those that were refused
     * (proved by nobody, not public, suspended), and those that were dropped because too much was to be done. The rest was
     * known already; what is recognised as such before its sender is not counted.
     */
    received_count: count,
    new_count: count,
    refused_count: count,
    dropped_count: count,
    last_received_at: time.nullable(),
  })
  .meta({ id: 'Admin.Relay' });

export function adminRelayEntity({ relay, receipts, lane }: JoinedRelayView): z.infer<typeof AdminRelayEntity> {
  return {
    id: relay.id.toString(),
    domain: relay.host,
    inbox_url: relay.inbox,
    actor_url: relay.actor ?? null,
    protocol: relay.form === 'actor' ? 'litepub' : 'mastodon',
    state: relay.state,
    created_at: timestamp(relay.createdAt),
    state_changed_at: timestamp(relay.changedAt),
    failing: lane?.failingSince !== undefined,
    last_answer_at: lane?.lastAnswerAt === undefined ? null : timestamp(lane.lastAnswerAt),
    received_count: receipts?.received ?? 0,
    new_count: receipts?.taken ?? 0,
    refused_count: receipts?.refused ?? 0,
    dropped_count: receipts?.shed ?? 0,
    last_received_at: receipts === undefined ? null : timestamp(receipts.lastAt),
  };
}
