/** The entity of another server, as staff see it, our own: Admin::Server. */
import { z } from 'zod';
import type { ServerPurge } from '../../../actors/instance/servers/servers.records.ts';
import { deliveryStates, type KnownServer } from '../../../operations/administration/servers.ts';
import { lastErrorOf } from '../../../services/delivery-lanes.ts';
import { count, flag, text, time, timestamp } from '../values.ts';
import { AdminDomainBlockEntity, adminDomainBlockEntity } from './domains.ts';

/** Everything goes that its accounts have left here; `accounts_count` of them so far. */
export const AdminPurgeEntity = z
  .strictObject({ started_at: time, ended_at: time.nullable(), accounts_count: count })
  .meta({ id: 'Admin.ServerPurge' });

export const AdminServerEntity = z
  .strictObject({
    domain: text,
    accounts_count: count,
    /** Follows of accounts here by accounts there. */
    followers_count: count,
    /** Follows of accounts there by accounts here. */
    following_count: count,
    statuses_count: count,
    /** Copies of its files that are kept here. */
    media_bytes: count,
    /** Its own, or that of a domain above it. */
    domain_block: AdminDomainBlockEntity.nullable(),
    allowed: flag,
    delivery: z.strictObject({
      state: z.enum(deliveryStates),
      stopped_at: time.nullable(),
      waiting_count: count,
      failing_since: time.nullable(),
      next_attempt_at: time.nullable(),
      last_delivered_at: time.nullable(),
      last_error: z
        .strictObject({
          at: time,
          /** With which it answered; null where it did not. */
          status: count.nullable(),
          reason: text.nullable(),
        })
        .nullable(),
    }),
    /** What staff had removed; null where they never did. */
    purge: AdminPurgeEntity.nullable(),
  })
  .meta({ id: 'Admin.Server' });

function timeOf(at: number | undefined): string | null {
  return at === undefined ? null : timestamp(at);
}

export function adminServerEntity(server: KnownServer): z.output<typeof AdminServerEntity> {
  const { domain, figures, rule, isAllowed, delivery, purge } = server;
  const { lane, stopped, state, failingSince, lastDeliveredAt } = delivery;
  const error = lastErrorOf(delivery.lane);
  return {
    domain,
    accounts_count: figures.accounts,
    followers_count: figures.followers,
    following_count: figures.following,
    statuses_count: figures.statuses,
    media_bytes: figures.mediaBytes,
    domain_block: rule === undefined ? null : adminDomainBlockEntity(rule),
    allowed: isAllowed,
    delivery: {
      state,
      stopped_at: timeOf(stopped?.at),
      waiting_count: lane?.pending ?? 0,
      failing_since: timeOf(failingSince),
      next_attempt_at: timeOf(lane?.nextAttemptAt),
      last_delivered_at: timeOf(lastDeliveredAt),
      last_error:
        error === undefined
          ? null
          : { at: timestamp(error.at), status: error.status ?? null, reason: error.fault ?? null },
    },
    purge: purge === undefined ? null : adminPurgeEntity(purge),
  };
}

export function adminPurgeEntity({ startedAt, endedAt, accounts }: ServerPurge): z.output<typeof AdminPurgeEntity> {
  return { started_at: timestamp(startedAt), ended_at: timeOf(endedAt), accounts_count: accounts };
}
