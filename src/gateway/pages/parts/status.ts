/** A post as shown everywhere: in lists, in its thread, and when it arrives on an open page. */

import { findAccount } from '../../../actors/account/profile/profiles.queries.ts';
import type { Status } from '../../../actors/account/statuses/statuses.records.ts';
import type { PresentedStatus } from '../../../operations/presentation/presented-status.ts';
import type { TranslatedStatus } from '../../../operations/translation/translate-status.ts';
import type { Id } from '../../../runtime/ids.ts';
import { type Html, html } from '../../../services/words/html.ts';
import type { Sentence } from '../../../services/words/message.ts';
import type { Visit } from '../visit.ts';
import { byline, name, plainName } from './account.ts';
import { covered, mediaCovered, warned } from './covered.ts';
import { type IconName, icon } from './icons.ts';
import { accountPath, pathOfStatus, statusPath } from './links.ts';
import { mediaOf } from './media.ts';
import { menu } from './menu.ts';
import { replyRefusal } from './reply-policy.ts';
import { statusItems } from './status-menu.ts';
import { partsOf } from './status-parts.ts';
import { emojisOf, storedHtml, storedText } from './stored.ts';
import { timeAgo } from './time.ts';
import { inTranslation, translationNote, translationOffer } from './translation.ts';

/**
 * An entry of a list: a post, or a boost of one. Its element id is that of the entry, `data-status` that of the post.
 */
export function entry(visit: Visit, view: PresentedStatus): Html {
  const { reblog, author } = view;
  return html`<li class="entry" id="status-${view.status.id}">${
    reblog !== undefined &&
    html`<p class="context">${icon('boost')} <span>${visit.words.posts.boosted({ name: html`<a href="${accountPath(visit, author.profile)}">${name(visit, author.profile)}</a>` })}</span></p>`
  }${article(visit, reblog ?? view, view.status.id)}</li>`;
}

/**
 * `place` is the id of the entry, to return to. The markup is the same for everybody except for the visitor's own state
 * (favourited, boosted, bookmarked), and for the offer to translate it.
 */
export function article(visit: Visit, view: PresentedStatus, place: Id, translated?: Translated): Html {
  const { status, author } = view;
  return html`<article class="status" data-status="${status.id}" aria-label="${visit.words.posts.by({ name: plainName(author.profile) })}">
<header>${byline(visit, author.profile)}<span class="when">${localOnlyMark(visit, status)}${visibilityMark(visit, status)}<a href="${statusPath(visit, view)}">${timeAgo(visit, status.createdAt)}</a></span></header>
${contextLine(visit, status)}
${translated === undefined ? contentOf(visit, view, place) : contentOf(visit, inTranslation(view, translated.translation), place)}
${translated === undefined ? translationOffer(visit, view, place) : translationNote(visit, translated.translation, translated.original)}
${footer(visit, view, place)}
</article>`;
}

/** `original`: what leads back to the words of the author. */
interface Translated {
  readonly translation: TranslatedStatus;
  readonly original: Html;
}

export function visibilityMark({ words: { posts } }: Visit, { visibility, limited }: Status): Html | undefined {
  if (visibility === 'public') return undefined;
  const label = limited === true ? posts.chosenPeople : posts.visibility[visibility];
  return html`<span class="visibility" title="${label}">${icon(visibility)}<span class="unseen">${label}</span></span>`;
}

function localOnlyMark({ words: { posts } }: Visit, { localOnly }: Status): Html | undefined {
  if (localOnly !== true) return undefined;
  return html`<span class="visibility" title="${posts.localOnly}">${icon('home')}<span class="unseen">${posts.localOnly}</span></span>`;
}

/** The post that it replies to, if known here. */
function contextLine(visit: Visit, { accountId, inReplyToId, inReplyToAccountId }: Status): Html | undefined {
  if (inReplyToId === undefined || inReplyToAccountId === undefined) return undefined;
  const parent = findAccount(visit.services.snapshots, inReplyToAccountId);
  if (parent === undefined) return undefined;
  const { continuesThread, inReplyTo } = visit.words.posts;
  const sentence =
    inReplyToAccountId === accountId ? continuesThread : inReplyTo({ name: name(visit, parent.profile) });
  return html`<p class="context">${icon('reply')} <a href="${pathOfStatus(parent.profile, inReplyToId)}">${sentence}</a></p>`;
}

/** Its text, its parts and its media. */
export function contentOf(visit: Visit, view: PresentedStatus, place: Id): Html {
  const matches = view.state?.filtered ?? [];
  const blurred = matches.some(({ filter }) => filter.action === 'blur');
  const titles = matches.flatMap(({ filter }) => (filter.action === 'warn' ? filter.title : []));
  const text = textOf(visit, view, blurred, partsOf(visit, view, place));
  return titles.length === 0
    ? text
    : covered(visit, visit.words.posts.filtered({ titles: visit.words.formats.list(titles) }), text);
}

function textOf(visit: Visit, { status, author }: PresentedStatus, isBlurred: boolean, parts: Html): Html {
  const { spoilerText, sensitive, language, editedAt } = status;
  const media = mediaOf(visit, status.attachments, author.profile);
  const written = emojisOf({ status, author });
  const words = visit.words.posts;
  const text = html`<div class="content" dir="auto"${language !== undefined && html` lang="${language}"`}>${storedHtml(
    visit,
    status.content,
    written,
  )}</div>`;
  const shown = html`${text}${parts}${mediaCovered(visit, media, { sensitive, isBlurred, isInside: spoilerText !== '' })}`;
  const edited =
    editedAt !== undefined &&
    html`<p class="edited"><a href="${pathOfStatus(author.profile, status.id)}/history">${words.edited({ time: timeAgo(visit, editedAt) })}</a></p>`;
  return html`${spoilerText === '' ? shown : warned(visit, storedText(visit, spoilerText, written), shown)}${edited}`;
}

function footer(visit: Visit, view: PresentedStatus, place: Id): Html {
  const { status, counters, author, state } = view;
  const words = visit.words.posts;
  if (visit.account === undefined || state === undefined) {
    return html`<footer>${tally(visit, 'reply', counters.replies, words.replies)}${tally(visit, 'boost', counters.reblogs, words.boosts)}${tally(
      visit,
      'favourite',
      counters.favourites,
      words.favourites,
    )}</footer>`;
  }
  const own = status.accountId === visit.account.id;
  const mayBoost = status.visibility !== 'direct' && (status.visibility !== 'private' || own);
  const act = (verb: string) => `/web/statuses/${status.id}/${verb}?at=${place}`;
  const { favourited, reblogged, bookmarked } = state;
  const refusal = replyRefusal(visit, status);
  return html`<footer>
<a class="act${refusal !== undefined && ' off'}" href="${pathOfStatus(author.profile, status.id)}#reply" title="${refusal ?? words.reply}">${icon('reply')}<span class="unseen">${refusal ?? words.reply}</span>${number(visit, counters.replies)}</a>
${
  mayBoost
    ? toggle(visit, 'boost', words.boost, reblogged, act(reblogged ? 'unreblog' : 'reblog'), counters.reblogs)
    : html`<span class="act off" title="${words.cannotBoost}">${icon(status.visibility)}</span>`
}
${toggle(visit, 'favourite', words.favourite, favourited, act(favourited ? 'unfavourite' : 'favourite'), counters.favourites)}
${toggle(visit, 'bookmark', words.bookmark, bookmarked, act(bookmarked ? 'unbookmark' : 'bookmark'))}
${menu(visit, words.moreAbout({ name: plainName(author.profile) }), statusItems(visit, view, act))}
</footer>`;
}

function toggle(visit: Visit, drawing: IconName, label: string, isOn: boolean, action: string, count?: number): Html {
  return html`<button class="act ${drawing}" form="acts" formaction="${action}" data-changes aria-pressed="${String(isOn)}" title="${label}">${icon(drawing)}<span class="unseen">${label}</span>${count !== undefined && number(visit, count)}</button>`;
}

function tally(visit: Visit, drawing: IconName, count: number, noun: Sentence<'count'>): Html | undefined {
  if (count === 0) return undefined;
  return html`<span class="act">${icon(drawing)}${number(visit, count)}<span class="unseen">${noun({ count })}</span></span>`;
}

function number({ words: { formats } }: Visit, count: number): Html {
  return html`<span class="${count === 0 ? 'unseen' : 'count'}">${formats.compact(count)}</span>`;
}
