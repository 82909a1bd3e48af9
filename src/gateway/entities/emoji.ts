/** The CustomEmoji entity. */
import type { CustomEmoji } from '../../actors/account/account.records.ts';

export interface EmojiEntity {
  shortcode: string;
  url: string;
  static_url: string;
  visible_in_picker: boolean;
  category: string | null;
}

/** An emoji as it is used in a name or a text. */
export function emojiEntity(emoji: CustomEmoji): EmojiEntity {
  return {
    shortcode: emoji.shortcode,
    url: emoji.url,
    static_url: emoji.staticUrl,
    visible_in_picker: true,
    category: null,
  };
}
