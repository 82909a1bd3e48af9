/**
 * The Account entity and related ones. A suspended account is emptied and marked as suspended; only `GET
 * /api/v1/accounts/:id` and its lists answer 410 for it in the dialect of the specification, so no serialiser here asks
 * for the dialect.
 */

import { z } from 'zod';
import { approvers, visibilities } from '../../actors/account/account.records.ts';
import type { Credentials } from '../../actors/account/credentials.queries.ts';
import { quotePolicyOf, replyPolicyOf } from '../../actors/account/profile/logins.queries.ts';
import type { AccountCounters, Profile } from '../../actors/account/profile/profile.records.ts';
import type { AccountView } from '../../actors/account/profile/profiles.queries.ts';
import { quotePolicies } from '../../actors/account/quotes/quotes.records.ts';
import { replyPolicies } from '../../actors/account/statuses/reply-policy.records.ts';
import { type FeaturePermission, featurabilityOf } from '../../actors/policy/featuring.ts';
import { builtInRoles, grants, type HeldRole } from '../../actors/policy/roles.ts';
import type { Addresses } from '../../services/addresses.ts';
import { shownPictures } from './account-pictures.ts';
import { EmojiEntity, emojiEntities } from './emoji.ts';
import { FieldEntity, fieldEntity, sourceFieldEntity } from './field.ts';
import { AccountRoleEntity, accountRoles, RoleEntity, roleEntity } from './role.ts';
import { count, date, flag, id, language, midnight, text, time, url } from './values.ts';

export const FeatureApprovalEntity = z.strictObject({
  automatic: z.array(z.enum(approvers)),
  manual: z.array(z.enum(approvers)),
  current_user: z.enum(['automatic', 'manual', 'denied', 'unknown', 'missing']),
});

const accountFields = {
  id,
  username: text.min(1),
  acct: text.min(1),
  url: url.nullable(),
  uri: url,
  display_name: text,
  note: text,
  avatar: url,
  avatar_static: url,
  avatar_description: text,
  header: url,
  header_static: url,
  header_description: text,
  locked: flag,
  fields: z.array(FieldEntity),
  emojis: z.array(EmojiEntity),
  bot: flag,
  group: flag,
  discoverable: flag.nullable(),
  indexable: flag,
  noindex: flag.nullable().optional(),
  memorial: flag.optional(),
  suspended: flag.optional(),
  limited: flag.optional(),
  created_at: midnight,
  last_status_at: date.nullable(),
  statuses_count: count,
  followers_count: count,
  following_count: count,
  hide_collections: flag.nullable(),
  show_media: flag,
  show_media_replies: flag,
  show_featured: flag,
  roles: z.array(AccountRoleEntity).nullable(),
  /** Whether others may subscribe by mail; absent where the server does not offer it. */
  email_subscriptions: flag.optional(),
  feature_approval: FeatureApprovalEntity,
};

/** `moved` is nested once only. */
export const AccountEntity = z
  .strictObject({ ...accountFields, moved: z.strictObject(accountFields).nullable().optional() })
  .meta({ id: 'Account' });
export type AccountEntity = z.output<typeof AccountEntity>;

export const CredentialAccountEntity = z
  .strictObject({
    ...AccountEntity.shape,
    source: z.strictObject({
      attribution_domains: z.array(text),
      note: text,
      raw_note: text,
      fields: z.array(FieldEntity),
      privacy: z.enum(visibilities),
      sensitive: flag,
      language: language.or(z.literal('')),
      follow_requests_count: count,
      hide_collections: flag.nullable(),
      discoverable: flag.nullable(),
      indexable: flag,
      quote_policy: z.enum(quotePolicies),
      reply_policy: z.enum(replyPolicies),
    }),
    role: RoleEntity,
  })
  .meta({ id: 'CredentialAccount' });
type CredentialAccountEntity = z.output<typeof CredentialAccountEntity>;

export const MutedAccountEntity = z
  .strictObject({ ...AccountEntity.shape, mute_expires_at: time.nullable() })
  .meta({ id: 'MutedAccount' });

const dayMilliseconds = 24 * 60 * 60 * 1_000;
const dateCharacters = 10;
const nothing: never[] = [];

/** `user` for local accounts, `user@host` for remote ones. */
export function acctOf(profile: Profile): string {
  return profile.domain === undefined ? profile.username : `${profile.username}@${profile.domain}`;
}

/**
 * `moved` is the account to which this one has moved, if it is shown. `serverSendsPosts`: whether this server offers
 * subscriptions by mail. `permission` is the viewer's permission to
 * feature it; where the viewer is unknown, that of a signed-in stranger.
 */
export function accountEntity(
  view: AccountView,
  addresses: Addresses,
  moved?: AccountEntity,
  permission?: FeaturePermission,
  serverSendsPosts = false,
): AccountEntity {
  const { profile, counters } = view;
  const { approval, stranger } = featurabilityOf(profile);
  const { remote } = profile;
  const html = (written: string) => (remote === undefined ? addresses.absoluteLinks(written) : written);
  const suspended = profile.suspendedAt !== undefined;
  const entity: Omit<AccountEntity, 'feature_approval'> = {
    id: profile.id.toString(),
    username: profile.username,
    acct: acctOf(profile),
    url: remote?.url ?? addresses.profile(profile.username),
    uri: remote?.uri ?? addresses.actor(profile.username),
    display_name: suspended ? '' : profile.displayName,
    note: suspended ? '' : html(profile.noteHtml),
    ...shownPictures(profile, addresses),
    locked: profile.locked,
    fields: suspended ? nothing : profile.fields.map((field) => fieldEntity(field, html)),
    emojis: suspended ? nothing : emojiEntities(profile.emojis, addresses, profile),
    bot: profile.bot,
    group: profile.actorType === 'Group',
    discoverable: profile.discoverable ?? null,
    indexable: profile.indexable,
    created_at: new Date(profile.createdAt - (profile.createdAt % dayMilliseconds)).toISOString(),
    ...countsOf(counters),
    hide_collections: profile.hideCollections,
    show_media: profile.showMedia ?? true,
    show_media_replies: profile.showMediaReplies ?? true,
    show_featured: profile.showFeatured ?? true,
    roles: remote === undefined && !suspended ? accountRoles(view.addedRole ?? builtInRoles[profile.role]) : nothing,
  };
  if (moved !== undefined) entity.moved = moved;
  // Asks search engines not to index the pages.
  if (remote === undefined) entity.noindex = !profile.indexable;
  if (profile.memorial) entity.memorial = true;
  if (suspended) entity.suspended = true;
  if (profile.limited) entity.limited = true;
  if (serverSendsPosts) entity.email_subscriptions = sendsPosts(view);
  const current_user = suspended ? 'denied' : (permission ?? stranger);
  return { ...entity, feature_approval: { ...approval, current_user } };
}

/** Whether others may subscribe to the account by mail, where the server offers it. */
function sendsPosts({ profile, addedRole }: AccountView): boolean {
  const isOffered = profile.emailSubscriptions === true && profile.suspendedAt === undefined;
  return isOffered && grants(addedRole ?? builtInRoles[profile.role], 'manageEmailSubscriptions');
}

/** The fields of the entity that change with each status and follow, in this order. */
export function countsOf(counters: AccountCounters) {
  return {
    last_status_at: dateOf(counters.lastStatusAt),
    statuses_count: counters.statuses,
    followers_count: counters.followers,
    following_count: counters.following,
  };
}

function dateOf(milliseconds: number | undefined): string | null {
  return milliseconds === undefined ? null : new Date(milliseconds).toISOString().slice(0, dateCharacters);
}

/** The account as its owner sees it, with what can be edited (specification 2.6: `raw_note`). */
export function credentialAccountEntity(
  { account, login, followRequests }: Credentials,
  entity: AccountEntity,
  role: HeldRole,
): CredentialAccountEntity {
  const { profile } = account;
  return {
    ...entity,
    source: {
      privacy: login.defaultPrivacy,
      sensitive: login.defaultSensitive,
      language: login.defaultLanguage ?? '',
      note: profile.note,
      raw_note: profile.note,
      fields: profile.fields.map(sourceFieldEntity),
      follow_requests_count: followRequests,
      hide_collections: profile.hideCollections,
      discoverable: profile.discoverable ?? null,
      indexable: profile.indexable,
      attribution_domains: [...(profile.attributionDomains ?? [])],
      quote_policy: quotePolicyOf(login),
      reply_policy: replyPolicyOf(login),
    },
    role: roleEntity(role),
  };
}
