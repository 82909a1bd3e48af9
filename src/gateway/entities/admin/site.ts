/** The entities of what staff keep for the people of this server, our own: Mastodon has it on its pages only. */
import { z } from 'zod';
import { findProfile } from '../../../actors/account/remote/federation.queries.ts';
import type { StoredAnnouncement } from '../../../actors/instance/announcements/announcements.queries.ts';
import { Audience, RegistrationMode, type StoredEmoji } from '../../../actors/instance/instance.messages.ts';
import { feedAccesses, ownTopicAccesses } from '../../../actors/policy/feed-access.ts';
import type { ListedTerms } from '../../../operations/administration/terms.ts';
import { documentNames, type WrittenDocument } from '../../../operations/administration/write-documents.ts';
import type { EffectiveSettings } from '../../../operations/instance/settings.ts';
import type { Addresses } from '../../../services/addresses.ts';
import type { Services } from '../../../services/services.ts';
import { EmojiEntity, storedEmojiEntity } from '../emoji.ts';
import { TermsOfServiceEntity } from '../instance-schema.ts';
import { dateOfDay, flag, id, text, time, timestamp, url } from '../values.ts';

export const AdminAnnouncementEntity = z
  .strictObject({
    id,
    /** As it was typed. */
    text,
    content: text,
    starts_at: time.nullable(),
    ends_at: time.nullable(),
    all_day: flag,
    published_at: time,
    updated_at: time,
    /** When it was sent by mail. */
    mailed_at: time.nullable(),
  })
  .meta({ id: 'Admin.Announcement' });

const timeOrNull = (at: number | undefined) => (at === undefined ? null : timestamp(at));

export function adminAnnouncementEntity(
  { id: announcementId, announcement }: StoredAnnouncement,
  addresses: Addresses,
): z.output<typeof AdminAnnouncementEntity> {
  return {
    id: announcementId.toString(),
    text: announcement.text,
    content: addresses.absoluteLinks(announcement.html),
    starts_at: timeOrNull(announcement.startsAt),
    ends_at: timeOrNull(announcement.endsAt),
    all_day: announcement.allDay,
    published_at: timestamp(announcement.publishedAt),
    updated_at: timestamp(announcement.updatedAt),
    mailed_at: timeOrNull(announcement.mailedAt),
  };
}

export const AdminEmojiEntity = EmojiEntity.extend({ disabled: flag }).meta({ id: 'Admin.CustomEmoji' });

export function adminEmojiEntity(emoji: StoredEmoji, addresses: Addresses): z.output<typeof AdminEmojiEntity> {
  return { ...storedEmojiEntity(emoji, addresses), disabled: emoji.isDisabled === true };
}

export const AdminSettingsEntity = z
  .strictObject({
    title: text,
    description: text,
    /** The user name of the account that people can write to. */
    contact: text.nullable(),
    registrations: RegistrationMode,
    reason_required: flag,
    trends: flag,
    trendable_by_default: flag,
    peers_api_enabled: flag,
    activity_api_enabled: flag,
    show_domain_blocks: Audience,
    show_domain_blocks_rationale: Audience,
    /** After so many days posts of other servers go that nobody here uses; 0 for never. */
    remote_status_days: z.number().int().nonnegative(),
    /** Whether accounts whose role says so may let others subscribe to them by mail. */
    email_subscriptions: flag,
    /** Who reads the public timelines, and those of tags and links. */
    local_live_feed_access: z.enum(feedAccesses),
    remote_live_feed_access: z.enum(feedAccesses),
    local_topic_feed_access: z.enum(ownTopicAccesses),
    remote_topic_feed_access: z.enum(feedAccesses),
    /** The picture of the server; null while the built-in one is shown. */
    thumbnail: z.strictObject({ url, description: text }).nullable(),
  })
  .meta({ id: 'Admin.Settings' });

export function adminSettingsEntity(
  settings: EffectiveSettings,
  { snapshots, addresses }: Pick<Services, 'snapshots' | 'addresses'>,
): z.output<typeof AdminSettingsEntity> {
  const { contactAccountId, thumbnail = null, thumbnailDescription = '' } = settings;
  const contact = contactAccountId === undefined ? undefined : findProfile(snapshots, contactAccountId);
  return {
    title: settings.title,
    description: settings.description,
    contact: contact?.username ?? null,
    registrations: settings.registrations,
    reason_required: settings.reasonRequired,
    trends: settings.trends,
    trendable_by_default: settings.trendableByDefault,
    peers_api_enabled: settings.publishPeers,
    activity_api_enabled: settings.publishActivity,
    show_domain_blocks: settings.domainBlocksFor,
    show_domain_blocks_rationale: settings.domainBlockReasonsFor,
    remote_status_days: settings.remoteStatusDays,
    email_subscriptions: settings.emailSubscriptions,
    local_live_feed_access: settings.localLiveFeeds,
    remote_live_feed_access: settings.remoteLiveFeeds,
    local_topic_feed_access: settings.localTopicFeeds,
    remote_topic_feed_access: settings.remoteTopicFeeds,
    thumbnail: thumbnail && { url: addresses.media(thumbnail.file.name), description: thumbnailDescription },
  };
}

export const AdminDocumentEntity = z
  .strictObject({ name: z.enum(documentNames), content: text.nullable(), updated_at: time.nullable() })
  .meta({ id: 'Admin.Document' });

export function adminDocumentEntity(
  { name, content, updatedAt }: WrittenDocument,
  addresses: Addresses,
): z.output<typeof AdminDocumentEntity> {
  const written = content === undefined ? null : addresses.absoluteLinks(content);
  return { name, content: written, updated_at: timeOrNull(updatedAt) };
}

export const AdminTermsEntity = TermsOfServiceEntity.extend({
  published_at: time,
  /** When everybody here was told of them. */
  told_at: time.nullable(),
}).meta({ id: 'Admin.TermsOfService' });

export function adminTermsEntity(terms: ListedTerms, addresses: Addresses): z.output<typeof AdminTermsEntity> {
  return {
    effective_date: dateOfDay(terms.day),
    effective: terms.isEffective,
    content: addresses.absoluteLinks(terms.content),
    succeeded_by: terms.succeededBy === undefined ? null : dateOfDay(terms.succeededBy),
    published_at: timestamp(terms.publishedAt),
    told_at: timeOrNull(terms.toldAt),
  };
}
