/** Grouped notifications (version 2 of the Mastodon API), put together from encoded accounts and statuses. */
import { z } from 'zod';
import type { ShownGroup } from '../../operations/presentation/notification-groups.ts';
import type { Id } from '../../runtime/ids.ts';
import { AccountEntity } from './account.ts';
import { accountJson, type EncodedAccount, type EncodedState, type EncodedStatus } from './encoded-status.ts';
import { SeveranceEventEntity, severanceEvent } from './severance.ts';
import { UserStatusEntity } from './status-schema.ts';
import { id, text, time, timestamp } from './values.ts';

const groupFields = {
  group_key: text.min(1),
  notifications_count: z.int().min(1),
  most_recent_notification_id: id,
  /** Only in lists. */
  page_min_id: id.optional(),
  page_max_id: id.optional(),
  latest_page_notification_at: time.optional(),
  sample_account_ids: z.array(id).min(1),
};

/** Only what is about a status has one, and only what is about severed relationships their event. */
const NotificationGroupEntity = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.enum(['follow', 'follow_request']), ...groupFields }),
    z.strictObject({
      type: z.enum(['mention', 'status', 'reblog', 'favourite', 'update', 'poll', 'quote', 'quoted_update']),
      ...groupFields,
      status_id: id,
    }),
    z.strictObject({ type: z.literal('severed_relationships'), ...groupFields, event: SeveranceEventEntity }),
  ])
  .meta({ id: 'NotificationGroup' });

/** Of those who are shown by their pictures only. */
const PartialAccountEntity = AccountEntity.pick({
  ...{ id: true, acct: true, url: true, avatar: true, avatar_static: true, avatar_description: true },
  ...{ locked: true, bot: true },
}).meta({ id: 'PartialAccountWithAvatar' });
type PartialAccountEntity = z.infer<typeof PartialAccountEntity>;

export const GroupedNotificationsEntity = z
  .strictObject({
    accounts: z.array(AccountEntity),
    partial_accounts: z.array(PartialAccountEntity).optional(),
    statuses: z.array(UserStatusEntity),
    notification_groups: z.array(NotificationGroupEntity),
  })
  .meta({ id: 'GroupedNotificationsResults' });

type Group = ShownGroup<EncodedStatus, EncodedAccount, EncodedState>;

const samplesMax = 8;

/** Who acted last, the newest first. */
function samplesOf({ accounts }: Group): (readonly [Id, EncodedAccount])[] {
  return [...accounts]
    .reverse()
    .slice(0, samplesMax)
    .map(([accountId, { body }]) => [accountId, body]);
}

function groupEntity(group: Group, inList: boolean): z.input<typeof NotificationGroupEntity> {
  const { key, count, newest, newestId, oldestId } = group;
  const { type, statusId, createdAt } = newest.notification;
  const event = severanceEvent(newestId, newest.notification);
  const page = {
    page_min_id: oldestId.toString(),
    page_max_id: newestId.toString(),
    latest_page_notification_at: timestamp(createdAt),
  };
  return {
    group_key: key,
    notifications_count: count,
    type,
    most_recent_notification_id: newestId.toString(),
    ...(inList ? page : {}),
    sample_account_ids: samplesOf(group).map(([accountId]) => accountId.toString()),
    ...(statusId === undefined ? {} : { status_id: statusId.toString() }),
    ...(event === undefined ? {} : { event }),
  } as z.input<typeof NotificationGroupEntity>;
}

interface Options {
  readonly inList: boolean;
  /** Only the one who acted last in each group is shown in full. */
  readonly partialAccounts: boolean;
}

/** `statuses`: a JSON array of those that the groups are about. */
export function groupsBody(groups: readonly Group[], statuses: Uint8Array, options: Options): Buffer {
  const whole = new Map<Id, EncodedAccount>();
  const rest = new Map<Id, EncodedAccount>();
  for (const group of groups)
    for (const [index, [accountId, account]] of samplesOf(group).entries())
      (options.partialAccounts && index > 0 ? rest : whole).set(accountId, account);
  const accounts = [...whole.values()].map((account) => accountJson(account).toString());
  const partial = [...rest].flatMap(([accountId, account]) => (whole.has(accountId) ? [] : [partialAccount(account)]));
  const entities = groups.map((group) => groupEntity(group, options.inList));
  return Buffer.concat([
    Buffer.from(`{"accounts":[${accounts.join(',')}],`),
    Buffer.from(options.partialAccounts ? `"partial_accounts":${JSON.stringify(partial)},"statuses":` : '"statuses":'),
    statuses,
    Buffer.from(`,"notification_groups":${JSON.stringify(entities)}}`),
  ]);
}

function partialAccount(encoded: EncodedAccount): PartialAccountEntity {
  const account = JSON.parse(accountJson(encoded).toString()) as AccountEntity;
  const { id: accountId, acct, url: page, avatar, avatar_static, avatar_description, locked, bot } = account;
  return { id: accountId, acct, url: page, avatar, avatar_static, avatar_description, locked, bot };
}
