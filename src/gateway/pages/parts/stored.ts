/**
 * Stored HTML of others: the one place that prints it. It was rendered here or sanitised when stored
 * (outbound/remote-html), so it is printed unchanged; only custom emojis are inserted into its text.
 */
import type { CustomEmoji } from '../../../actors/account/account.records.ts';
import { escapeHtml } from '../../../actors/text/escape.ts';
import { Html, html } from '../../../services/words/html.ts';

/** A tag with its quoted attributes, so that nothing is inserted into one; or a shortcode in the text. */
const tagOrShortcode = /<(?:[^>"']|"[^"]*"|'[^']*')*>|:(\w+):/g;

/** Content of a status, a note, the value of a profile field, a document by staff. */
export function storedHtml(markup: string, emojis: readonly CustomEmoji[] = []): Html {
  return new Html(emojis.length === 0 ? markup : withEmojis(markup, emojis));
}

/** Plain text of others with custom emojis: names and content warnings. */
export function storedText(text: string, emojis: readonly CustomEmoji[] = []): Html {
  return new Html(emojis.length === 0 ? escapeHtml(text) : withEmojis(escapeHtml(text), emojis));
}

function withEmojis(markup: string, emojis: readonly CustomEmoji[]): string {
  return markup.replace(tagOrShortcode, (whole, shortcode: string | undefined) => {
    const emoji = shortcode === undefined ? undefined : emojis.find((one) => one.shortcode === shortcode);
    return emoji === undefined ? whole : emojiImage(emoji).markup;
  });
}

function emojiImage({ shortcode, staticUrl }: CustomEmoji): Html {
  const name = `:${shortcode}:`;
  return html`<img class="emoji" src="${staticUrl}" alt="${name}" title="${name}" loading="lazy">`;
}
