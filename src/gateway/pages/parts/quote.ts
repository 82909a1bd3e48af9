/** The quoted post of a post, as the visitor may see it. */
import type { PresentedStatus } from '../../../operations/presentation/presented-status.ts';
import type { QuoteState } from '../../../operations/presentation/quotes.ts';
import type { Visit } from '../visit.ts';
import { byline } from './account.ts';
import { type Html, html } from './html.ts';
import { statusPath } from './links.ts';
import { mediaOf } from './media.ts';
import { storedHtml, storedText } from './stored.ts';
import { timeAgo } from './time.ts';

/** Why nothing is shown. */
const words: Readonly<Record<Exclude<QuoteState, 'accepted'>, string>> = {
  pending: 'The quoted post waits for its author to agree',
  rejected: 'The author of the quoted post has not agreed',
  revoked: 'The author of the quoted post has taken it back',
  deleted: 'The quoted post was deleted',
  unauthorized: 'The quoted post is not for you',
  blocked_account: 'You block the author of the quoted post',
  blocked_domain: 'You hide the server of the quoted post',
  muted_account: 'You mute the author of the quoted post',
};

export function quoteOf(visit: Visit, { quote }: PresentedStatus): Html | undefined {
  if (quote === undefined) return undefined;
  const { state, status: quoted } = quote;
  if (state === 'accepted' && quoted !== undefined)
    return html`<blockquote class="quote">${quotedPost(visit, quoted)}</blockquote>`;
  return html`<p class="quote fine">${words[state as Exclude<QuoteState, 'accepted'>]}</p>`;
}

/**
 * Inside the quoting post. What filters match, or a warning covers, is folded behind its title; so are sensitive media.
 */
export function quotedPost(visit: Visit, view: PresentedStatus): Html {
  const { status, author, state } = view;
  const { spoilerText, sensitive, emojis, attachments } = status;
  const covers = (state?.filtered ?? []).map(({ filter }) => html`Filtered: ${filter.title}`);
  if (spoilerText !== '') covers.push(storedText(spoilerText, emojis));
  const media = mediaOf(attachments);
  const isCovered = sensitive && media !== undefined && spoilerText === '';
  const text = html`<div class="content" dir="auto">${storedHtml(status.content, emojis)}</div>${
    isCovered ? covered(html`Sensitive media`, media) : media
  }`;
  const shown = covers.reduceRight((inside, cover) => covered(cover, inside), text);
  return html`<header>${byline(visit, author.profile)}<span class="when"><a href="${statusPath(visit, view)}">${timeAgo(status.createdAt, visit.now)}</a></span></header>
${shown}`;
}

export function covered(warning: Html, content: Html): Html {
  return html`<details class="covered"><summary><span class="warning" dir="auto">${warning}</span></summary>${content}</details>`;
}
