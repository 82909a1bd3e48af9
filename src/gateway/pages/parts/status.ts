/** A post as shown everywhere: in lists, in its thread, and when it arrives on an open page. */

import type { Visibility } from '../../../actors/account/account.records.ts';
import { findAccount } from '../../../actors/account/statuses/statuses.queries.ts';
import type { Status } from '../../../actors/account/statuses/statuses.records.ts';
import type { PresentedStatus } from '../../../operations/presentation/presented-status.ts';
import { quotabilityOf } from '../../../operations/presentation/quotes.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { Visit } from '../visit.ts';
import { byline, name, plainName } from './account.ts';
import { type Html, html } from './html.ts';
import { type IconName, icon } from './icons.ts';
import { accountPath, pathOfStatus, statusPath } from './links.ts';
import { mediaOf } from './media.ts';
import { menu, menuButton, menuQuestion } from './menu.ts';
import { covered } from './quote.ts';
import { relationItems } from './relations.ts';
import { partsOf } from './status-parts.ts';
import { storedHtml, storedText } from './stored.ts';
import { fullTime, timeAgo } from './time.ts';

const counted = new Intl.NumberFormat('en', { notation: 'compact' });

/** For users; `public` is not marked. */
export const visibilityWords: Readonly<Record<Visibility, string>> = {
  public: 'Public',
  unlisted: 'Quiet public',
  private: 'Followers',
  direct: 'Mentioned people',
};

/**
 * An entry of a list: a post, or a boost of one. Its element id is that of the entry, `data-status` that of the post.
 */
export function entry(visit: Visit, view: PresentedStatus): Html {
  const { reblog, author } = view;
  return html`<li class="entry" id="status-${view.status.id}">${
    reblog !== undefined &&
    html`<p class="context">${icon('boost')} <a href="${accountPath(visit, author.profile)}">${name(author.profile)}</a> boosted</p>`
  }${article(visit, reblog ?? view, view.status.id)}</li>`;
}

/**
 * `place` is the id of the entry, to return to. The markup is the same for everybody except for the visitor's own state
 * (favourited, boosted, bookmarked).
 */
export function article(visit: Visit, view: PresentedStatus, place: Id): Html {
  const { status, author } = view;
  return html`<article class="status" data-status="${status.id}" aria-label="Post by ${plainName(author.profile)}">
<header>${byline(visit, author.profile)}<span class="when">${visibilityMark(status)}<a href="${statusPath(visit, view)}">${timeAgo(status.createdAt, visit.now)}</a></span></header>
${contextLine(visit, status)}
${contentOf(visit, view, place)}
${footer(visit, view, place)}
</article>`;
}

function visibilityMark({ visibility, limited }: Status): Html | undefined {
  if (visibility === 'public') return undefined;
  const words = limited === true ? 'Chosen people' : visibilityWords[visibility];
  return html`<span class="visibility" title="${words}">${icon(visibility)}<span class="unseen">${words}</span></span>`;
}

/** The post that it replies to, if known here. */
function contextLine(visit: Visit, { accountId, inReplyToId, inReplyToAccountId }: Status): Html | undefined {
  if (inReplyToId === undefined || inReplyToAccountId === undefined) return undefined;
  const parent = findAccount(visit.services.snapshots, inReplyToAccountId);
  if (parent === undefined) return undefined;
  const words = inReplyToAccountId === accountId ? html`Continues a thread` : html`In reply to ${name(parent.profile)}`;
  return html`<p class="context">${icon('reply')} <a href="${pathOfStatus(parent.profile, inReplyToId)}">${words}</a></p>`;
}

function contentOf(visit: Visit, view: PresentedStatus, place: Id): Html {
  const { status, state } = view;
  const matches = state?.filtered ?? [];
  const blurred = matches.some(({ filter }) => filter.action === 'blur');
  const titles = matches.flatMap(({ filter }) => (filter.action === 'warn' ? filter.title : []));
  const text = textOf(status, blurred, partsOf(visit, view, place));
  return titles.length === 0 ? text : covered(html`Filtered: ${titles.join(', ')}`, text);
}

function textOf(status: Status, isBlurred: boolean, parts: Html): Html {
  const { spoilerText, emojis, sensitive, language, editedAt } = status;
  const media = mediaOf(status.attachments);
  const isCovered = (sensitive || isBlurred) && media !== undefined && spoilerText === '';
  const text = html`<div class="content" dir="auto"${language !== undefined && html` lang="${language}"`}>${storedHtml(
    status.content,
    emojis,
  )}</div>`;
  const shown = html`${text}${parts}${isCovered ? covered(html`Sensitive media`, media) : media}`;
  const edited = editedAt !== undefined && html`<p class="edited">Edited ${fullTime(editedAt)}</p>`;
  return html`${spoilerText === '' ? shown : covered(storedText(spoilerText, emojis), shown)}${edited}`;
}

function footer(visit: Visit, view: PresentedStatus, place: Id): Html {
  const { status, counters, author, state } = view;
  if (visit.account === undefined || state === undefined) {
    return html`<footer>${tally('reply', counters.replies, 'replies')}${tally('boost', counters.reblogs, 'boosts')}${tally(
      'favourite',
      counters.favourites,
      'favourites',
    )}</footer>`;
  }
  const own = status.accountId === visit.account.id;
  const mayBoost = status.visibility !== 'direct' && (status.visibility !== 'private' || own);
  const act = (verb: string) => `/web/statuses/${status.id}/${verb}?at=${place}`;
  const { favourited, reblogged, bookmarked } = state;
  return html`<footer>
<a class="act" href="${pathOfStatus(author.profile, status.id)}#reply" title="Reply">${icon('reply')}<span class="unseen">Reply</span>${number(counters.replies)}</a>
${
  mayBoost
    ? toggle('boost', 'Boost', reblogged, act(reblogged ? 'unreblog' : 'reblog'), counters.reblogs)
    : html`<span class="act off" title="Only public posts can be boosted">${icon(status.visibility)}</span>`
}
${toggle('favourite', 'Favourite', favourited, act(favourited ? 'unfavourite' : 'favourite'), counters.favourites)}
${toggle('bookmark', 'Bookmark', bookmarked, act(bookmarked ? 'unbookmark' : 'bookmark'))}
${menu(`this post by ${plainName(author.profile)}`, html`${quoteItems(visit, view, act)}${own ? ownItems(view, act) : relationItems(author.profile, undefined, status.id)}`)}
</footer>`;
}

function toggle(drawing: IconName, words: string, isOn: boolean, action: string, count?: number): Html {
  return html`<button class="act ${drawing}" form="acts" formaction="${action}" data-changes aria-pressed="${String(isOn)}" title="${words}">${icon(drawing)}<span class="unseen">${words}</span>${count !== undefined && number(count)}</button>`;
}

/** The same for all who may be allowed to quote it: whether they follow its author is checked when they do. */
function quoteItems(visit: Visit, { status, quote }: PresentedStatus, act: (verb: string) => string): Html {
  const own = status.accountId === visit.account?.id;
  const { author, stranger, asksForFollow } = quotabilityOf(status);
  const isQuotable = own ? author !== 'denied' : stranger !== 'denied' || asksForFollow;
  const quotesVisitor = !own && quote?.status !== undefined && quote.status.status.accountId === visit.account?.id;
  return html`${isQuotable && html`<a class="item" href="/web/statuses/${status.id}/quote">Quote</a>`}
${
  quotesVisitor &&
  menuQuestion({
    words: 'Take your post out of it',
    question: 'It stays, and does not show your post any more.',
    answer: 'Take it out',
    action: act('revoke'),
    inPlace: true,
  })
}`;
}

function ownItems({ status, state }: PresentedStatus, act: (verb: string) => string): Html {
  const pinning = state?.pinned ? menuButton(act('unpin'), 'Unpin') : menuButton(act('pin'), 'Pin to your profile');
  const words = { words: 'Delete', question: 'It will be gone for everybody.', answer: 'Delete this post' };
  return html`<a class="item" href="/web/statuses/${status.id}/edit">Edit</a>
${status.visibility !== 'direct' && pinning}
${menuQuestion({ ...words, action: act('delete'), inPlace: true })}`;
}

function tally(drawing: IconName, count: number, words: string): Html | undefined {
  if (count === 0) return undefined;
  return html`<span class="act">${icon(drawing)}${number(count)}<span class="unseen">${words}</span></span>`;
}

function number(count: number): Html {
  return html`<span class="${count === 0 ? 'unseen' : 'count'}">${counted.format(count)}</span>`;
}
