/** Reads the `tag` property of statuses and profiles: mentions, hashtags, emojis, collections of accounts. */
import type { CustomEmoji } from '../../actors/account/account.records.ts';
import { withoutSign } from '../../actors/text/hashtags.ts';
import { isJsonObject, type JsonValue } from '../../outbound/fetcher/json.ts';
import { activityLimits } from '../limits.ts';
import { addressOf, firstOf, objectsOf, textOf, typeOf } from './values.ts';

export interface MentionTag {
  /** The actor's URI; for some servers the address of its page. */
  readonly href: string;
  /** `@user@host`, `@user` or nothing. */
  readonly name: string;
}

export interface RemoteTags {
  readonly mentions: MentionTag[];
  readonly hashtags: string[];
  readonly emojis: CustomEmoji[];
  /** The ActivityPub ids of collections, each once: what is embedded is read from their own server. */
  readonly collections: string[];
}

const shortcodePattern = /^[\p{L}\p{N}_.+@-]+$/u;

export function readTags(value: JsonValue | undefined): RemoteTags {
  const tags: RemoteTags = { mentions: [], hashtags: [], emojis: [], collections: [] };
  for (const tag of objectsOf(value, activityLimits.tagsMax)) {
    switch (typeOf(tag)) {
      case 'Mention': {
        const href = addressOf(tag.href);
        if (href !== undefined && tags.mentions.length < activityLimits.mentionsMax)
          tags.mentions.push({ href, name: textOf(tag.name, activityLimits.usernameCharactersMax) ?? '' });
        break;
      }
      case 'Hashtag': {
        const name = textOf(tag.name, activityLimits.titleCharactersMax);
        if (name !== undefined) tags.hashtags.push(withoutSign(name));
        break;
      }
      case 'Emoji': {
        const emoji = readEmoji(tag.name, tag.icon);
        const isNew = !tags.emojis.some((known) => known.shortcode === emoji?.shortcode);
        if (emoji !== undefined && isNew && tags.emojis.length < activityLimits.emojisMax) tags.emojis.push(emoji);
        break;
      }
      case 'FeaturedCollection': {
        const id = addressOf(tag.id);
        const isNew = id !== undefined && !tags.collections.includes(id);
        if (isNew && tags.collections.length < activityLimits.collectionsMax) tags.collections.push(id);
      }
    }
  }
  return tags;
}

function readEmoji(name: JsonValue | undefined, icon: JsonValue | undefined): CustomEmoji | undefined {
  const shortcode = textOf(name, activityLimits.emojiCharactersMax)?.replace(/^:|:$/g, '');
  if (shortcode === undefined || !shortcodePattern.test(shortcode)) return undefined;
  const image = firstOf(icon);
  const url = isJsonObject(image) ? addressOf(firstOf(image.url)) : addressOf(image);
  return url === undefined ? undefined : { shortcode, url, staticUrl: url };
}
