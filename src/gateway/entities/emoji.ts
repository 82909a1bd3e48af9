/** The CustomEmoji entity. */
import { z } from 'zod';
import type { CustomEmoji } from '../../actors/account/account.records.ts';
import type { StoredEmoji } from '../../actors/instance/instance.queries.ts';
import type { Addresses } from '../../services/addresses.ts';
import { shownEmoji } from '../../services/media/shown-pictures.ts';
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
export function emojiEntity(emoji: CustomEmoji, addresses: Addresses): EmojiEntity {
  const { address, still } = shownEmoji(addresses, emoji);
  return {
    shortcode: emoji.shortcode,
    url: address,
    static_url: still,
    visible_in_picker: true,
    category: null,
  };
}

/** A custom emoji of this server. */
export function storedEmojiEntity(emoji: StoredEmoji, addresses: Addresses): EmojiEntity {
  const { visibleInPicker: visible_in_picker, category = null } = emoji;
  return { ...emojiEntity(emoji, addresses), visible_in_picker, category, featured: false };
}
