/** The answer of an oEmbed endpoint (oembed.com, section 2.3): links, photos and videos. */
import type { Card } from '../../actors/account/cards/cards.records.ts';
import { withoutUndefined } from '../../runtime/plain-data.ts';
import type { JsonObject, JsonValue } from '../fetcher/json.ts';
import { cardLimits } from './limits.ts';
import { sanitizePlayer } from './player.ts';
import { line, plainName, type ReadPage, sizeOf, webAddress } from './read-page.ts';

/**
 * What it says goes before what the page says. Undefined where that is left to the page: for another version, and for
 * `rich`, whose HTML could be anything.
 */
export function withOembed(page: ReadPage, answer: JsonObject, base: string): ReadPage | undefined {
  if (String(answer.version) !== '1.0') return undefined;
  const kind = kindOf(answer, base);
  if (kind === undefined) return undefined;
  const { html: _html, width: _width, height: _height, embedUrl: _embedUrl, type: _type, ...rest } = page.card;
  const said = withoutUndefined({
    title: line(textOf(answer.title), cardLimits.titleCharactersMax),
    authorName: plainName(textOf(answer.author_name)),
    authorUrl: webAddress(textOf(answer.author_url), base),
    providerName: plainName(textOf(answer.provider_name)),
    providerUrl: webAddress(textOf(answer.provider_url), base),
  });
  const { imageUrl = page.imageUrl, ...shown } = kind;
  return { ...page, card: { ...rest, ...said, ...shown } as Card, imageUrl };
}

type Kind = Partial<Card> & { readonly imageUrl?: string | undefined };

function kindOf(answer: JsonObject, base: string): Kind | undefined {
  const thumbnail = webAddress(textOf(answer.thumbnail_url), base);
  const size = withoutUndefined({ width: sizeOf(answer.width), height: sizeOf(answer.height) } as Partial<Card>);
  switch (answer.type) {
    case 'link':
      return { type: 'link', imageUrl: thumbnail };
    case 'photo': {
      const url = webAddress(textOf(answer.url), base);
      return url === undefined ? undefined : { type: 'photo', embedUrl: url, ...size, imageUrl: thumbnail ?? url };
    }
    case 'video': {
      const html = sanitizePlayer(textOf(answer.html) ?? '');
      return html === undefined ? undefined : { type: 'video', html, ...size, imageUrl: thumbnail };
    }
    default:
      return undefined;
  }
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
