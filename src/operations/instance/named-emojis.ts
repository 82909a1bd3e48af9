/** The custom emojis of this server that stand in texts written here: the one place that chooses them. */
import type { CustomEmoji } from '../../actors/account/account.records.ts';
import { findCustomEmoji } from '../../actors/instance/instance.queries.ts';
import { shortcodesIn } from '../../actors/text/shortcodes.ts';
import type { Services } from '../../services/services.ts';

/** Reads one entry for each shortcode, and nothing where the texts have none. */
export function namedEmojis({ snapshots }: Pick<Services, 'snapshots'>, texts: readonly string[]): CustomEmoji[] {
  return shortcodesIn(texts).flatMap((shortcode) => {
    const emoji = findCustomEmoji(snapshots, shortcode);
    return emoji === undefined || emoji.isDisabled === true
      ? []
      : { shortcode, url: emoji.url, staticUrl: emoji.staticUrl };
  });
}
