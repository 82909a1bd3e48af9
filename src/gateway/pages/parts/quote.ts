/** The quoted post of a post, as the visitor may see it. */
import type { PresentedStatus } from '../../../operations/presentation/presented-status.ts';
import type { QuoteState } from '../../../operations/presentation/quotes.ts';
import { type Html, html } from '../../../services/words/html.ts';
import type { Visit } from '../visit.ts';
import { byline } from './account.ts';
import { covered, mediaCovered, warned } from './covered.ts';
import { statusPath } from './links.ts';
import { mediaOf } from './media.ts';
import { emojisOf, storedHtml, storedText } from './stored.ts';
import { timeAgo } from './time.ts';

export function quoteOf(visit: Visit, { quote }: PresentedStatus): Html | undefined {
  if (quote === undefined) return undefined;
  const { state, status: quoted } = quote;
  if (state === 'accepted' && quoted !== undefined)
    return html`<blockquote class="quote">${quotedPost(visit, quoted)}</blockquote>`;
  return html`<p class="quote fine">${visit.words.posts.quotes[state as Exclude<QuoteState, 'accepted'>]}</p>`;
}

/**
 * Inside the quoting post. What filters match, or a warning covers, is folded behind its title; so are sensitive media.
 */
export function quotedPost(visit: Visit, view: PresentedStatus): Html {
  const { status, author, state } = view;
  const words = visit.words.posts;
  const { spoilerText, sensitive, attachments } = status;
  const written = emojisOf(view);
  const media = mediaOf(visit, attachments, author.profile);
  const text = html`<div class="content" dir="auto">${storedHtml(visit, status.content, written)}</div>${mediaCovered(visit, media, { sensitive, isInside: spoilerText !== '' })}`;
  const warnedOf = spoilerText === '' ? text : warned(visit, storedText(visit, spoilerText, written), text);
  const shown = (state?.filtered ?? []).reduceRight(
    (inside, { filter }) => covered(visit, html`${words.filtered({ titles: filter.title })}`, inside),
    warnedOf,
  );
  return html`<header>${byline(visit, author.profile)}<span class="when"><a href="${statusPath(visit, view)}">${timeAgo(visit, status.createdAt)}</a></span></header>
${shown}`;
}
