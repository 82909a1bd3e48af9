/** The menu of a post: what is done about it less often than with the buttons below it. */
import { isForEverybody } from '../../../actors/policy/visibility.ts';
import type { PresentedStatus } from '../../../operations/presentation/presented-status.ts';
import { quotabilityOf } from '../../../operations/presentation/quotes.ts';
import { type Html, html } from '../../../services/words/html.ts';
import type { Visit } from '../visit.ts';
import { elsewhere, pathOfStatus } from './links.ts';
import { menuButton, menuGroup, menuQuestion } from './menu.ts';
import { relationItems } from './relations.ts';

/** The path of a button, by its verb. */
type Act = (verb: string) => string;

export function statusItems(visit: Visit, view: PresentedStatus, act: Act): Html {
  const { status, author, state } = view;
  const { posts } = visit.words;
  const isOwn = status.accountId === visit.account?.id;
  return html`${boostItems(visit, view, act)}${quoteItems(visit, view, act)}${addressItems(visit, view)}
${state?.muted ? menuButton(act('unmute'), posts.unmuteThread, true) : menuButton(act('mute'), posts.muteThread, true)}
${isOwn ? ownItems(visit, view, act) : html`<a class="item" href="/web/statuses/${status.id}/filter">${posts.filter}</a>${relationItems(visit, author.profile, undefined, status.id)}`}`;
}

/** The button below the post takes the usual visibility. */
export const boostVisibilities = ['public', 'unlisted', 'private'] as const;

/** A boost of a post for followers is always for followers. */
function boostItems({ words: { posts } }: Visit, { status, state }: PresentedStatus, act: Act): Html | undefined {
  if (!isForEverybody(status) || state?.reblogged === true) return undefined;
  const choices = boostVisibilities.map((one) => menuButton(act(`reblog-${one}`), posts.visibility[one], true));
  return menuGroup(posts.boostFor, choices);
}

/** The same for all who may be allowed to quote it: whether they follow its author is checked when they do. */
function quoteItems(visit: Visit, { status, quote }: PresentedStatus, act: Act): Html {
  const words = visit.words.posts;
  const own = status.accountId === visit.account?.id;
  const { author, stranger, asksForFollow } = quotabilityOf(status);
  const isQuotable = own ? author !== 'denied' : stranger !== 'denied' || asksForFollow;
  const quotesVisitor = !own && quote?.status !== undefined && quote.status.status.accountId === visit.account?.id;
  return html`${takeOutItem(visit, status, act)}${isQuotable && html`<a class="item" href="/web/statuses/${status.id}/quote">${words.quote}</a>`}
${
  quotesVisitor &&
  menuQuestion({
    words: words.takeOut,
    question: words.takeOutHint,
    answer: words.takeOutConfirm,
    action: act('revoke'),
    inPlace: true,
  })
}`;
}

/** Of a reply to a post of the visitor. */
function takeOutItem({ words, account }: Visit, status: PresentedStatus['status'], act: Act): Html | false {
  const { accountId, inReplyToId, inReplyToAccountId, heldReply } = status;
  const isOther = account !== undefined && inReplyToAccountId === account.id && accountId !== account.id;
  if (!isOther || inReplyToId === undefined || heldReply !== undefined) return false;
  const { revoke, revokeHint, revokeConfirm } = words.posts.consent;
  return menuQuestion({ words: revoke, question: revokeHint, answer: revokeConfirm, action: act('revoke-reply') });
}

/** Its address, to pass on, and where it is at home. Only a script can copy: without one it is not shown. */
function addressItems({ words: { posts, people }, services }: Visit, { status, author }: PresentedStatus): Html {
  const { profile } = author;
  const original = profile.remote === undefined ? undefined : elsewhere(status.url ?? status.uri);
  const address = original ?? services.addresses.origin + pathOfStatus(profile, status.id);
  return html`<button type="button" class="item" data-copy="${address}" data-copied="${posts.linkCopied}">${posts.copyLink}</button>
${original !== undefined && html`<a class="item" href="${original}" target="_blank" rel="noopener">${people.openOriginal({ server: html`<bdi>${profile.domain}</bdi>` })}</a>`}`;
}

function ownItems({ words: { posts } }: Visit, { status, state }: PresentedStatus, act: Act): Html {
  const pinning = state?.pinned ? menuButton(act('unpin'), posts.unpin) : menuButton(act('pin'), posts.pin);
  const words = { words: posts.delete, question: posts.deleteHint, answer: posts.deleteConfirm };
  return html`<a class="item" href="/web/statuses/${status.id}/edit">${posts.edit}</a>
${status.visibility !== 'direct' && pinning}
${menuQuestion({ words: posts.redraft, question: posts.redraftHint, answer: posts.redraftConfirm, action: `/web/statuses/${status.id}/redraft` })}
${menuQuestion({ ...words, action: act('delete'), inPlace: true })}`;
}
