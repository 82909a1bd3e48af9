/**
 * Stored HTML of others: the one place that prints it. It was rendered here or sanitised when stored
 * (outbound/remote-html), so it is printed unchanged; only custom emojis are inserted into its text.
 */
import type { CustomEmoji } from '../../../actors/account/account.records.ts';
import { escapeHtml } from '../../../actors/text/escape.ts';
import { shownEmoji } from '../../../services/media/shown-pictures.ts';
import { Html, html } from '../../../services/words/html.ts';
import type { Visit } from '../visit.ts';

/** A tag with its quoted attributes, so that nothing is inserted into one; or a shortcode in the text. */
const tagOrShortcode = /<(?:[^>"']|"[^"]*"|'[^']*')*>|:(\w+):/g;

/** Content of a status, a note, the value of a profile field, a document by staff. */
export function storedHtml(visit: Visit, markup: string, emojis: readonly CustomEmoji[] = []): Html {
  return new Html(emojis.length === 0 ? markup : withEmojis(visit, markup, emojis));
}

/** Plain text of others with custom emojis: names and content warnings. */
export function storedText(visit: Visit, text: string, emojis: readonly CustomEmoji[] = []): Html {
  return new Html(emojis.length === 0 ? escapeHtml(text) : withEmojis(visit, escapeHtml(text), emojis));
}

function withEmojis(visit: Visit, markup: string, emojis: readonly CustomEmoji[]): string {
  return markup.replace(tagOrShortcode, (whole, shortcode: string | undefined) => {
    const emoji = shortcode === undefined ? undefined : emojis.find((one) => one.shortcode === shortcode);
    return emoji === undefined ? whole : emojiImage(visit, emoji).markup;
  });
}

function emojiImage({ services }: Visit, emoji: CustomEmoji): Html {
  const name = `:${emoji.shortcode}:`;
  const { still } = shownEmoji(services.addresses, emoji);
  return html`<img class="emoji" src="${still}" alt="${name}" title="${name}" loading="lazy">`;
}
