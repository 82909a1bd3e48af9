/** The page that a status links to first, which gets its preview card. */
import { toPlainText } from '../actors/text/plain.ts';
import type { Services } from './services.ts';

interface LinkServices {
  readonly addresses: Pick<Services['addresses'], 'isOwnHost'>;
  readonly options: Pick<Services['options'], 'cards'>;
}

const anchor = /<a ([^>]*)>/g;
const attribute = (name: string) => new RegExp(`(?:^| )${name}="([^"]*)"`);
const href = attribute('href');
const classes = attribute('class');
const relation = attribute('rel');
const notForCards = /(?:^| )(?:mention|hashtag|u-url|h-card)(?: |$)/;
const tagRelation = /(?:^| )tag(?: |$)/;
const charactersMax = 2_048;

/** Of addresses in order: the first that is on another server. None where posts get no cards, so that nothing is stored for them. */
export function firstPage({ addresses, options }: LinkServices, links: Iterable<string>): string | undefined {
  if (!options.cards) return undefined;
  for (const link of links) {
    const url = URL.parse(link);
    if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) continue;
    if (addresses.isOwnHost(url.host)) continue;
    if (url.href.length <= charactersMax) return url.href;
  }
  return undefined;
}

/** Of sanitised HTML: without the links of mentions and tags. */
export function firstPageIn(services: LinkServices, html: string, mentions: readonly { readonly url: string }[]) {
  return html.includes('<a ') ? firstPage(services, linksIn(html, mentions)) : undefined;
}

function* linksIn(html: string, mentions: readonly { readonly url: string }[]): Generator<string> {
  for (const [, attributes = ''] of html.matchAll(anchor)) {
    if (notForCards.test(classes.exec(attributes)?.[1] ?? '')) continue;
    if (tagRelation.test(relation.exec(attributes)?.[1] ?? '')) continue;
    const address = toPlainText(href.exec(attributes)?.[1] ?? '');
    if (!mentions.some(({ url }) => url === address)) yield address;
  }
}
