/** The quoted post of a post, as the visitor may see it. */
import type { PresentedStatus } from '../../../operations/presentation/presented-status.ts';
import type { QuoteState } from '../../../operations/presentation/quotes.ts';
import { type Html, html } from '../../../services/words/html.ts';
import type { Visit } from '../visit.ts';
import { byline } from './account.ts';
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
  const covers = (state?.filtered ?? []).map(({ filter }) => html`${words.filtered({ titles: filter.title })}`);
  if (spoilerText !== '') covers.push(storedText(visit, spoilerText, written));
  const media = mediaOf(visit, attachments, author.profile);
  const isCovered = sensitive && media !== undefined && spoilerText === '';
  const text = html`<div class="content" dir="auto">${storedHtml(visit, status.content, written)}</div>${
    isCovered ? covered(visit, html`${words.sensitive}`, media) : media
  }`;
  const shown = covers.reduceRight((inside, cover) => covered(visit, cover, inside), text);
  return html`<header>${byline(visit, author.profile)}<span class="when"><a href="${statusPath(visit, view)}">${timeAgo(visit, status.createdAt)}</a></span></header>
${shown}`;
}

/** The style says which of the two words is shown. */
export function covered({ words: { posts } }: Visit, warning: Html, content: Html): Html {
  return html`<details class="covered"><summary data-show="${posts.show}" data-hide="${posts.hide}"><span class="warning" dir="auto">${warning}</span></summary>${content}</details>`;
}
