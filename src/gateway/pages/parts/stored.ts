/**
 * Stored HTML of others: the one place that prints it. It was rendered here or sanitised when stored
 * (outbound/remote-html), so it is printed unchanged; only custom emojis are inserted into its text.
 */
import type { CustomEmoji } from '../../../actors/account/account.records.ts';
import type { StatusView } from '../../../actors/account/status-views.queries.ts';
import { escapeHtml } from '../../../actors/text/escape.ts';
import type { MediaOwner } from '../../../services/media/media-owner.ts';
import { type ShownPicture, shownEmoji } from '../../../services/media/shown-pictures.ts';
import { Html, html } from '../../../services/words/html.ts';
import type { Visit } from '../visit.ts';

/** A tag with its quoted attributes, so that nothing is inserted into one; or a shortcode in the text. */
const tagOrShortcode = /<(?:[^>"']|"[^"]*"|'[^']*')*>|:(\w+):/g;

/** The custom emojis in a text, with whoever wrote it: a profile has its own. */
export interface WrittenEmojis extends MediaOwner {
  readonly emojis: readonly CustomEmoji[];
}

/** Those in the texts of a status. */
export function emojisOf({ status: { emojis }, author }: Pick<StatusView, 'status' | 'author'>): WrittenEmojis {
  const { domain, remote } = author.profile;
  return { emojis, domain, remote };
}

const noEmojis: WrittenEmojis = { emojis: [] };

/** Content of a status, a note, the value of a profile field, a document by staff. */
export function storedHtml(visit: Visit, markup: string, written = noEmojis): Html {
  return new Html(written.emojis.length === 0 ? markup : withEmojis(visit, markup, written));
}

/** Plain text of others with custom emojis: names and content warnings. */
export function storedText(visit: Visit, text: string, written = noEmojis): Html {
  return new Html(written.emojis.length === 0 ? escapeHtml(text) : withEmojis(visit, escapeHtml(text), written));
}

function withEmojis({ services }: Visit, markup: string, written: WrittenEmojis): string {
  return markup.replace(tagOrShortcode, (whole, shortcode: string | undefined) => {
    const emoji = shortcode === undefined ? undefined : written.emojis.find((one) => one.shortcode === shortcode);
    const picture = emoji && shownEmoji(services.addresses, emoji, written);
    return picture === undefined ? whole : emojiImage(`:${shortcode}:`, picture).markup;
  });
}

function emojiImage(name: string, { still }: ShownPicture): Html {
  return html`<img class="emoji" src="${still}" alt="${name}" title="${name}" loading="lazy">`;
}
