/**
 * The Account entity and its kin. A suspended account is emptied and says so; only `GET /api/v1/accounts/:id` and its
 * lists answer 410 for it in the dialect of the specification, so no serialiser here asks for the dialect.
 */

import type { Profile } from '../../actors/account/profile/profile.records.ts';
import type { Credentials } from '../../actors/account/profile/profiles.queries.ts';
import type { Mute } from '../../actors/account/relationships/relationships.records.ts';
import type { AccountView } from '../../actors/account/statuses/statuses.queries.ts';
import type { Addresses } from '../../services/addresses.ts';
import { type EmojiEntity, emojiEntity } from './emoji.ts';
import { type FieldEntity, fieldEntity, sourceFieldEntity } from './field.ts';
import { type AccountRoleEntity, accountRoles, type RoleEntity, roleEntity } from './role.ts';

export interface AccountEntity {
  id: string;
  username: string;
  acct: string;
  url: string;
  uri: string;
  display_name: string;
  note: string;
  avatar: string;
  avatar_static: string;
  avatar_description: string;
  header: string;
  header_static: string;
  header_description: string;
  locked: boolean;
  fields: FieldEntity[];
  emojis: EmojiEntity[];
  bot: boolean;
  group: boolean;
  discoverable: boolean | null;
  indexable: boolean;
  moved?: AccountEntity;
  memorial?: true;
  suspended?: true;
  limited?: true;
  created_at: string;
  last_status_at: string | null;
  statuses_count: number;
  followers_count: number;
  following_count: number;
  hide_collections: boolean;
  show_media: boolean;
  show_media_replies: boolean;
  show_featured: boolean;
  roles: readonly AccountRoleEntity[];
  feature_approval: FeatureApproval;
}

interface FeatureApproval {
  automatic: readonly string[];
  manual: readonly string[];
  current_user: 'denied';
}

export interface CredentialAccountEntity extends AccountEntity {
  source: Record<string, unknown>;
  role: RoleEntity;
}

export interface MutedAccountEntity extends AccountEntity {
  mute_expires_at: string | null;
}

const dayMilliseconds = 24 * 60 * 60 * 1_000;
const dateCharacters = 10;
const nothing: never[] = [];
/** Nobody is put into collections, because there are none. */
const featureApproval: FeatureApproval = { automatic: nothing, manual: nothing, current_user: 'denied' };

/** `user` here, `user@host` elsewhere. */
export function acctOf(profile: Profile): string {
  return profile.domain === undefined ? profile.username : `${profile.username}@${profile.domain}`;
}

/** `moved` is the account that this one points to, if it is to be shown. */
export function accountEntity(view: AccountView, addresses: Addresses, moved?: AccountView): AccountEntity {
  const { profile, counters } = view;
  const { remote } = profile;
  const suspended = profile.suspendedAt !== undefined;
  const avatar = (suspended ? undefined : profile.avatar) ?? `${addresses.origin}/avatars/missing.png`;
  const header = (suspended ? undefined : profile.header) ?? `${addresses.origin}/headers/missing.png`;
  const entity: AccountEntity = {
    id: profile.id.toString(),
    username: profile.username,
    acct: acctOf(profile),
    url: remote?.url ?? addresses.profile(profile.username),
    uri: remote?.uri ?? addresses.actor(profile.username),
    display_name: suspended ? '' : profile.displayName,
    note: suspended ? '' : profile.noteHtml,
    avatar,
    avatar_static: avatar,
    avatar_description: '',
    header,
    header_static: header,
    header_description: '',
    locked: profile.locked,
    fields: suspended ? nothing : profile.fields.map(fieldEntity),
    emojis: suspended ? nothing : profile.emojis.map(emojiEntity),
    bot: profile.bot,
    group: profile.actorType === 'Group',
    discoverable: profile.discoverable ?? null,
    indexable: profile.indexable,
    created_at: new Date(profile.createdAt - (profile.createdAt % dayMilliseconds)).toISOString(),
    last_status_at: dateOf(counters.lastStatusAt),
    statuses_count: counters.statuses,
    followers_count: counters.followers,
    following_count: counters.following,
    hide_collections: profile.hideCollections,
    show_media: true,
    show_media_replies: true,
    show_featured: true,
    roles: remote === undefined && !suspended ? accountRoles(profile.role) : nothing,
    feature_approval: featureApproval,
  };
  if (moved !== undefined) entity.moved = accountEntity(moved, addresses);
  if (profile.memorial) entity.memorial = true;
  if (suspended) entity.suspended = true;
  if (profile.limited) entity.limited = true;
  return entity;
}

function dateOf(milliseconds: number | undefined): string | null {
  return milliseconds === undefined ? null : new Date(milliseconds).toISOString().slice(0, dateCharacters);
}

/** The account as its owner sees it, with what can be edited (specification 2.6: `raw_note`). */
export function credentialAccountEntity(
  { account, login, followRequests }: Credentials,
  addresses: Addresses,
  moved?: AccountView,
): CredentialAccountEntity {
  const { profile } = account;
  return {
    ...accountEntity(account, addresses, moved),
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
      attribution_domains: nothing,
      // Quotes are not served.
      quote_policy: 'nobody',
    },
    role: roleEntity(login.role),
  };
}

export function mutedAccountEntity(view: AccountView, mute: Mute, addresses: Addresses): MutedAccountEntity {
  const expiresAt = mute.expiresAt === undefined ? null : new Date(mute.expiresAt).toISOString();
  return { ...accountEntity(view, addresses), mute_expires_at: expiresAt };
}
