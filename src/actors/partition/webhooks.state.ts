/**
 * The log of what the webhooks of a partition are told, with the progress of their lanes: as that of deliveries, whose
 * numbers of hosts it uses. A webhook is a host by the name of its lane.
 */
import { z } from 'zod';
import { present, record } from '../../runtime/codec.ts';
import { type Keyspace, keyspace, uint32, uint53 } from '../../runtime/storage/keyspace.ts';
import { type Rule, rule, trimmed } from '../../runtime/storage/rules.ts';
import { identifier } from '../account/account.records.ts';
import { webhookNewsNames } from '../policy/webhooks.ts';
import { LaneState } from './partition.records.ts';
import { DeliveryReader, deliveryMeta, hostsByNumber, overtakenDeliveriesMax } from './partition.state.ts';

const owner = 'partition';
const partitionWide = true;

/** One event for one webhook; what it says of its subject is read when it is sent. */
export const WebhookNews = z.object({
  /** When it happened. */
  at: z.number(),
  /** Number of the lane's name. */
  host: z.number(),
  webhookId: identifier,
  event: z.enum(webhookNewsNames),
  subjectId: identifier,
  /** The traced request that caused it. */
  cause: z.string().optional(),
});
export type WebhookNews = z.infer<typeof WebhookNews>;

/** Nobody wants to be told later. */
export const webhookAgeMilliseconds = 48 * 60 * 60 * 1000;
/** Kept for all webhooks of a partition: some 10 MB. The oldest make room. */
export const webhookNewsKeptMax = 65_536;

export const webhookLog = keyspace<[number], WebhookNews>({
  number: 128,
  name: 'webhook log',
  owner,
  partitionWide,
  absentIfDamaged: true,
  key: [uint53('sequence')],
  value: record(WebhookNews),
  bound: { by: 'age', milliseconds: webhookAgeMilliseconds },
});

/** The same entries, without decoding values. */
export const webhookSequences: Keyspace<[number], true> = { ...webhookLog, value: present };

export const webhookLanes = keyspace<[number], LaneState>({
  number: 129,
  name: 'webhook lanes',
  owner,
  partitionWide,
  absentIfDamaged: true,
  key: [uint32('host')],
  value: record(LaneState),
  bound: { by: 'owner', reason: 'one per webhook' },
});

export const webhookReaders = keyspace<[number], z.infer<typeof DeliveryReader>>({
  number: 168,
  name: 'webhook readers',
  owner,
  partitionWide,
  key: [uint32('reader')],
  value: record(DeliveryReader),
  bound: { by: 'owner', reason: 'one per network thread' },
});

export const webhookLogRules: readonly Rule[] = [
  trimmed(webhookLog, {
    milliseconds: webhookAgeMilliseconds,
    overtakenMax: overtakenDeliveriesMax,
    writtenAt: ({ at }) => at,
  }),
  rule(webhookLog, ([sequence], { host }, reader) => {
    const { nextWebhook = 0 } = reader.get(deliveryMeta, [0]) ?? {};
    if (sequence >= nextWebhook) return 'is numbered above the last one';
    if (sequence < nextWebhook - webhookNewsKeptMax) return 'should have made room for later ones';
    return reader.get(hostsByNumber, [host]) === undefined ? 'is for a lane that has no number' : undefined;
  }),
  rule(webhookReaders, (_key, { floor }, reader) =>
    floor <= (reader.get(deliveryMeta, [0])?.nextWebhook ?? 1) ? undefined : 'has read more than there is',
  ),
  rule(webhookLanes, ([number], _state, reader) =>
    reader.get(hostsByNumber, [number]) === undefined ? 'has a name that has no number' : undefined,
  ),
];
