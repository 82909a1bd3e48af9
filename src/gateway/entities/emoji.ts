/** The CustomEmoji entity. */
import { z } from 'zod';
import type { CustomEmoji } from '../../actors/account/account.records.ts';
import type { StoredEmoji } from '../../actors/instance/instance.queries.ts';
import type { Addresses } from '../../services/addresses.ts';
import type { MediaOwner } from '../../services/media/media-owner.ts';
import { ownEmoji, type ShownPicture, shownEmoji } from '../../services/media/shown-pictures.ts';
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

/** The emojis in names and texts of an account: without those whose server staff want to show no media of. */
export function emojiEntities(emojis: readonly CustomEmoji[], addresses: Addresses, author: MediaOwner): EmojiEntity[] {
  return emojis.flatMap((emoji) => {
    const shown = shownEmoji(addresses, emoji, author);
    return shown === undefined ? [] : [emojiEntity(emoji, shown)];
  });
}

function emojiEntity({ shortcode }: CustomEmoji, { address, still }: ShownPicture): EmojiEntity {
  return {
    shortcode,
    url: address,
    static_url: still,
    visible_in_picker: true,
    category: null,
  };
}

/** A custom emoji of this server. */
export function storedEmojiEntity(emoji: StoredEmoji, addresses: Addresses): EmojiEntity {
  const { visibleInPicker: visible_in_picker, category = null } = emoji;
  return { ...emojiEntity(emoji, ownEmoji(addresses, emoji)), visible_in_picker, category, featured: false };
}
