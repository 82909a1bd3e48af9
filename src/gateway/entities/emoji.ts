/** The CustomEmoji entity. */
import { z } from 'zod';
import type { CustomEmoji } from '../../actors/account/account.records.ts';
import type { StoredEmoji } from '../../actors/instance/instance.queries.ts';
import { flag, text, url } from './values.ts';

export const EmojiEntity = z
  .strictObject({
    shortcode: text,
    url,
    static_url: url,
    visible_in_picker: flag,
    category: text.nullable(),
    /** In lists of this server's emojis only: whether pickers show it first. */
    featured: flag.optional(),
  })
  .meta({ id: 'CustomEmoji' });
export type EmojiEntity = z.output<typeof EmojiEntity>;

/** An emoji in a name or a text. */
export function emojiEntity(emoji: CustomEmoji): EmojiEntity {
  return {
    shortcode: emoji.shortcode,
    url: emoji.url,
    static_url: emoji.staticUrl,
    visible_in_picker: true,
    category: null,
  };
}

/** A custom emoji of this server. */
export function storedEmojiEntity({
  shortcode,
  url: address,
  staticUrl,
  visibleInPicker,
  category,
}: StoredEmoji): EmojiEntity {
  return {
    shortcode,
    url: address,
    static_url: staticUrl,
    visible_in_picker: visibleInPicker,
    category: category ?? null,
    featured: false,
  };
}
