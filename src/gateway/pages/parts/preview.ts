/** The preview of the page that a post links to: a link with its picture, its title and what it says of itself. */
import { cardOf } from '../../../actors/account/cards/cards.queries.ts';
import type { Card } from '../../../actors/account/cards/cards.records.ts';
import type { Profile } from '../../../actors/account/profile/profile.records.ts';
import type { PresentedStatus } from '../../../operations/presentation/presented-status.ts';
import type { MediaOwner } from '../../../services/media/media-owner.ts';
import { type Html, html } from '../../../services/words/html.ts';
import { shownCardPicture } from '../../shown-media.ts';
import type { Visit } from '../visit.ts';
import { avatar, name } from './account.ts';
import { accountPath, elsewhere } from './links.ts';
import { linkTo } from './slots.ts';

/** Nothing of another site is loaded: the picture is this server's, and players are on the page that it leads to. */
export function previewOf(visit: Visit, { status, author, cardAuthor }: PresentedStatus): Html | undefined {
  const card = cardOf(status);
  return card && previewOfCard(visit, card, elsewhere(status.link), cardAuthor, author.profile);
}

/** `author`: the account that has written the page; `by`: that of the post, nobody where a list has found the page. */
export function previewOfCard(
  visit: Visit,
  card: Card,
  address: string | undefined,
  author: Profile | undefined,
  by: MediaOwner = {},
): Html | undefined {
  if (address === undefined) return undefined;
  const { addresses } = visit.services;
  const { title, description, providerName, imageDescription = '', width, height } = card;
  const image = shownCardPicture(card, addresses, by);
  const size = card.type === undefined || card.type === 'link' ? html` width="${width}" height="${height}"` : '';
  const picture = image !== undefined && html`<img src="${image}" alt="${imageDescription}"${size} loading="lazy">`;
  return html`<a class="preview${image !== undefined && ' pictured'}" href="${address}" target="_blank" rel="nofollow noopener noreferrer">${picture}
<span><small dir="auto">${providerName ?? new URL(address).hostname}</small>
<strong dir="auto"${card.language !== undefined && html` lang="${card.language}"`}>${title}</strong>${
    description !== '' && html`\n<span class="about" dir="auto">${description}</span>`
  }</span></a>${author && moreFrom(visit, author)}`;
}

function moreFrom(visit: Visit, author: Profile): Html {
  const sentence = visit.words.posts.previewAuthor({
    name: name(visit, author),
    link: linkTo(accountPath(visit, author)),
  });
  return html`<p class="preview-author">${avatar(visit, author, 24)} <span>${sentence}</span></p>`;
}
