/** The entities Instance (v2) and V1::Instance, and their common parts. */

import type { z } from 'zod';
import { featuredTagLimits } from '../../actors/account/featured-tags/limits.ts';
import { pinLimits } from '../../actors/account/pins/limits.ts';
import { pollLimits } from '../../actors/account/polls/limits.ts';
import { replyPolicies } from '../../actors/account/statuses/reply-policy.records.ts';
import type { EffectiveSettings } from '../../operations/instance/settings.ts';
import { profileLimits } from '../../operations/profile/limits.ts';
import { hasHeicDecoder } from '../../services/media/decode-heic.ts';
import { findFilmTools } from '../../services/media/film-tools.ts';
import { mediaLimits } from '../../services/media/limits.ts';
import { supportedMediaTypes } from '../../services/media/sniff.ts';
import { icons } from '../icons.ts';
import type { ServerPicture } from '../server-picture.ts';
import { channelKinds } from '../streaming/channels.ts';
import { streamLimits } from '../streaming/limits.ts';
import type { AccountEntity } from './account.ts';
import type { FirstInstanceEntity, InstanceEntity } from './instance-schema.ts';

export interface InstanceFacts {
  readonly domain: string;
  readonly origin: string;
  /** `ws://` or `wss://` and a host. */
  readonly streaming: string;
  readonly version: string;
  readonly apiVersions: { readonly mastodon: number };
  readonly sourceUrl: string;
  readonly settings: EffectiveSettings;
  readonly usage: {
    readonly users: number;
    readonly statuses: number;
    readonly hosts: number;
    readonly activeMonth: number;
  };
  readonly picture: ServerPicture;
  readonly contactEmail: string;
  readonly contactAccount: AccountEntity | null;
  readonly hasTerms: boolean;
  readonly translates: boolean;
  readonly vapidPublicKey: string;
  readonly statusCharactersMax: number;
  /** The first that pages and mails speak, as on Mastodon. */
  readonly language: string;
  readonly compressesStreams: boolean;
  readonly offersLocalOnly: boolean;
}

/** Required by the Mastodon API; unsupported features are refused by their endpoints. */
const statuses = { max_media_attachments: 4, characters_reserved_per_url: 23 };
const media = {
  supported_mime_types: supportedMediaTypes({ films: findFilmTools() !== undefined, heic: hasHeicDecoder() }),
  description_limit: mediaLimits.descriptionCharactersMax,
  image_size_limit: mediaLimits.imageBytesMax,
  image_matrix_limit: mediaLimits.pixelsMax,
  video_size_limit: mediaLimits.filmBytesMax,
  video_frame_rate_limit: mediaLimits.filmFramesASecondMax,
  video_matrix_limit: mediaLimits.filmPixelsMax,
};
const polls = {
  max_options: pollLimits.optionsMax,
  max_characters_per_option: pollLimits.optionCharactersMax,
  min_expiration: pollLimits.expirySecondsMin,
  max_expiration: pollLimits.expirySecondsMax,
};
const accounts = {
  max_display_name_length: profileLimits.displayNameCharactersMax,
  max_note_length: profileLimits.noteCharactersMax,
  max_avatar_description_length: profileLimits.pictureDescriptionCharactersMax,
  max_header_description_length: profileLimits.pictureDescriptionCharactersMax,
  max_featured_tags: featuredTagLimits.perLocalAccountMax,
  max_pinned_statuses: pinLimits.perLocalAccountMax,
  max_profile_fields: profileLimits.fieldsMax,
  profile_field_name_limit: profileLimits.fieldCharactersMax,
  profile_field_value_limit: profileLimits.fieldCharactersMax,
};

export function instanceEntity(facts: InstanceFacts): z.input<typeof InstanceEntity> {
  const { settings, origin, picture } = facts;
  const thumbnail = {
    url: picture.url,
    blurhash: picture.blurhash,
    versions: { '@1x': picture.url, '@2x': picture.largeUrl },
    description: picture.description,
  };
  const topics = { local: settings.localTopicFeeds, remote: settings.remoteTopicFeeds };
  return {
    domain: facts.domain,
    title: settings.title,
    version: facts.version,
    source_url: facts.sourceUrl,
    description: settings.description,
    wrapstodon: null,
    usage: { users: { active_month: facts.usage.activeMonth } },
    thumbnail,
    banner: { url: thumbnail.url, blurhash: thumbnail.blurhash, versions: thumbnail.versions },
    icon: icons.map(({ path, pixels }) => ({ src: `${origin}${path}`, size: `${pixels}x${pixels}` })),
    languages: [facts.language],
    configuration: {
      urls: {
        streaming: facts.streaming,
        status: null,
        about: `${origin}/about`,
        privacy_policy: `${origin}/privacy-policy`,
        terms_of_service: facts.hasTerms ? `${origin}/terms-of-service` : null,
      },
      vapid: { public_key: facts.vapidPublicKey },
      accounts,
      statuses: { max_characters: facts.statusCharactersMax, ...statuses },
      media_attachments: media,
      polls,
      translation: { enabled: facts.translates },
      timelines_access: {
        live_feeds: { local: settings.localLiveFeeds, remote: settings.remoteLiveFeeds },
        hashtag_feeds: topics,
        trending_link_feeds: topics,
      },
      limited_federation: settings.federationMode === 'allow-list',
    },
    registrations: {
      enabled: settings.registrations !== 'closed',
      approval_required: settings.registrations === 'approval',
      reason_required: settings.registrations === 'approval' && settings.reasonRequired,
      message: settings.registrations === 'closed' ? (settings.closedMessage?.content ?? null) : null,
      min_age: null,
      url: null,
    },
    api_versions: facts.apiVersions,
    contact: { email: facts.contactEmail, account: facts.contactAccount },
    murmuration: ownFeatures(facts),
    rules: rulesEntity(settings.rules),
  };
}

export function instanceV1Entity(facts: InstanceFacts): z.input<typeof FirstInstanceEntity> {
  const { settings, usage } = facts;
  const { description_limit: _notInVersion1, ...mediaAttachments } = media;
  return {
    uri: facts.domain,
    title: settings.title,
    short_description: settings.description,
    description: settings.description,
    email: facts.contactEmail,
    version: facts.version,
    urls: { streaming_api: facts.streaming },
    stats: { user_count: usage.users, status_count: usage.statuses, domain_count: usage.hosts },
    thumbnail: facts.picture.url,
    languages: [facts.language],
    registrations: settings.registrations !== 'closed',
    approval_required: settings.registrations === 'approval',
    invites_enabled: settings.invitations !== 'staff',
    configuration: {
      accounts: { max_featured_tags: featuredTagLimits.perLocalAccountMax },
      statuses: { max_characters: facts.statusCharactersMax, ...statuses },
      media_attachments: mediaAttachments,
      polls,
    },
    contact_account: facts.contactAccount,
    murmuration: ownFeatures(facts),
    rules: rulesEntity(settings.rules),
  };
}

/** What no other server has. */
const watchedChannels = channelKinds.flatMap(({ name, watched }) => (watched === undefined ? [] : [name]));

function ownFeatures({ compressesStreams, offersLocalOnly }: InstanceFacts) {
  return {
    streaming: {
      resumes: true,
      watched_channels: watchedChannels,
      max_channels: streamLimits.channelsPerSocketMax,
      max_watched_channels: streamLimits.watchedPerSocketMax,
      compression: compressesStreams,
    },
    posting: { local_only: offersLocalOnly, reply_policies: [...replyPolicies] },
  };
}

export interface RuleEntity {
  id: string;
  text: string;
  hint: string;
  translations: Record<string, { text: string; hint: string }>;
}

export function rulesEntity(rules: EffectiveSettings['rules']): RuleEntity[] {
  return rules.map(({ id, text, hint, translations = {} }) => ({ id, text, hint, translations }));
}
