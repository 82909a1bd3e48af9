/** A notification: who did what, and the post it is about. */
import { markersOf } from '../../../actors/account/markers/markers.queries.ts';
import type { Profile } from '../../../actors/account/profile/profile.records.ts';
import { findAccount } from '../../../actors/account/statuses/statuses.queries.ts';
import { toPlainLine } from '../../../actors/text/plain.ts';
import type { PresentedStatus } from '../../../operations/presentation/presented-status.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { shownStatus } from '../filtered.ts';
import { webLimits } from '../limits.ts';
import type { MemberVisit } from '../visit.ts';
import { byline, name } from './account.ts';
import { type Html, html } from './html.ts';
import { type IconName, icon } from './icons.ts';
import { accountPath, statusPath } from './links.ts';
import { shorten } from './meta.ts';
import { relationButtons } from './relations.ts';
import { article } from './status.ts';
import { timeAgo } from './time.ts';

type ShownNotification = NonNullable<ReturnType<GatewayServices['notifications']['one']>>;

/** The number of unread notifications, counted up to a bound: `3`, `40+`, or nothing. */
export function unreadWords({ services, account }: MemberVisit): string {
  const { unreadCountedMax: limit } = webLimits;
  const sinceId = markersOf(services.snapshots, account.id).notifications?.lastReadId;
  const { items } = services.notifications.page(account.id, {}, { sinceId, limit: limit + 1 });
  if (items.length === 0) return '';
  return items.length > limit ? `${limit}+` : String(items.length);
}

type Words = readonly [IconName, string];

function wordsFor(
  type: Exclude<ShownNotification['notification']['type'], 'severed_relationships' | 'admin.report'>,
  about: PresentedStatus | undefined,
  ownId: Id,
): Words {
  switch (type) {
    case 'mention':
      if (about?.status.visibility === 'direct') return ['direct', 'wrote to you'];
      return about?.status.inReplyToAccountId === ownId ? ['reply', 'replied to you'] : ['reply', 'mentioned you'];
    case 'status':
      return ['bell', 'posted'];
    case 'reblog':
      return ['boost', 'boosted your post'];
    case 'favourite':
      return ['favourite', 'favourited your post'];
    case 'follow':
      return ['person', 'follows you'];
    case 'follow_request':
      return ['person', 'asks to follow you'];
    case 'update':
      return ['edit', 'edited a post that you boosted'];
    case 'poll':
      return ['about', 'ended a poll'];
    case 'quote':
      return ['quote', 'quoted your post'];
    case 'quoted_update':
      return ['edit', 'edited a post that you quoted'];
    case 'added_to_collection':
      return ['people', 'put you into a collection'];
    case 'collection_update':
      return ['edit', 'edited a collection that you are in'];
    case 'admin.sign_up':
      return ['person', 'signed up'];
  }
}

export function notificationEntry(visit: MemberVisit, shown: ShownNotification, isUnread: boolean): Html {
  const { id, notification, collection } = shown;
  const { services, account } = visit;
  const from = findAccount(services.snapshots, notification.accountId);
  if (from === undefined) return html``;
  const { type, statusId } = notification;
  if (type === 'severed_relationships') return severedEntry(visit, shown, isUnread);
  if (type === 'admin.report') return reportedEntry(visit, shown, from.profile, isUnread);
  const about = statusId === undefined ? undefined : shownStatus(visit, statusId, 'notification');
  const [drawing, words] = wordsFor(type, about, account.id);
  return html`<li class="entry notification${isUnread && ' is-unread'}" id="notification-${id}">
<p class="context ${drawing}">${icon(drawing)} <span><a href="${accountPath(visit, from.profile)}">${name(from.profile)}</a> ${words}${
    isUnread && html`<span class="unseen"> (new)</span>`
  }</span> ${timeAgo(notification.createdAt, visit.now)}</p>
${collection !== undefined && html`<p class="quoted"><a href="/collections/${collection.collection.id}" dir="auto">${collection.collection.name}</a></p>`}
${about === undefined ? html`<div class="person">${byline(visit, from.profile)}${relationButtons(visit, from.profile)}</div>` : aboutPost(visit, about)}</li>`;
}

function severedEntry(visit: MemberVisit, { id, notification }: ShownNotification, isUnread: boolean): Html {
  const { severance, createdAt } = notification;
  if (severance === undefined) return html``;
  const { targetName, followersCount, followingCount } = severance;
  return html`<li class="entry notification${isUnread && ' is-unread'}" id="notification-${id}">
<p class="context people">${icon('people')} <span>You hid ${targetName}: ${countOf(followersCount, 'follower')} and ${countOf(
    followingCount,
    'account',
  )} that you followed are gone${isUnread && html`<span class="unseen"> (new)</span>`}</span> ${timeAgo(createdAt, visit.now)}</p></li>`;
}

/** For staff, who close it with the command line. */
function reportedEntry(visit: MemberVisit, { id, report }: ShownNotification, by: Profile, isUnread: boolean): Html {
  if (report === undefined) return html``;
  const { comment, category, createdAt, resolvedAt } = report.report;
  const target = report.target.profile;
  return html`<li class="entry notification${isUnread && ' is-unread'}" id="notification-${id}">
<p class="context about">${icon('about')} <span><a href="${accountPath(visit, by)}">${name(by)}</a> reported <a href="${accountPath(visit, target)}">${name(target)}</a> (${category}${
    resolvedAt !== undefined && ', closed'
  })${isUnread && html`<span class="unseen"> (new)</span>`}</span> ${timeAgo(createdAt, visit.now)}</p>
${comment !== '' && html`<p class="quoted" dir="auto">${shorten(comment.replace(/\s+/g, ' '), webLimits.quotedCharactersMax)}</p>`}</li>`;
}

function countOf(count: number, thing: string): string {
  return count === 1 ? `1 ${thing}` : `${count} ${thing}s`;
}

/** Only the beginning of the visitor's own post. */
function aboutPost(visit: MemberVisit, view: PresentedStatus): Html {
  const { content, spoilerText, accountId } = view.status;
  if (accountId !== visit.account.id) return article(visit, view.reblog ?? view, view.status.id);
  const text = spoilerText === '' ? toPlainLine(content) : spoilerText;
  return html`<p class="quoted"><a href="${statusPath(visit, view)}" dir="auto">${shorten(text, webLimits.quotedCharactersMax)}</a></p>`;
}
