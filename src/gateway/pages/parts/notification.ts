/** A notification, or a group of them: who did what, and the post it is about. */
import { markersOf } from '../../../actors/account/markers/markers.queries.ts';
import type { StoredWarning } from '../../../actors/account/notifications/warnings.queries.ts';
import type { Profile } from '../../../actors/account/profile/profile.records.ts';
import { findAccount } from '../../../actors/account/statuses/statuses.queries.ts';
import { type GroupedType, groupedTypes } from '../../../actors/policy/notification-groups.ts';
import { toPlainLine } from '../../../actors/text/plain.ts';
import type { PresentedStatus } from '../../../operations/presentation/presented-status.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { shownStatus } from '../filtered.ts';
import { webLimits } from '../limits.ts';
import type { MemberVisit } from '../visit.ts';
import { avatar, byline, name, plainName } from './account.ts';
import { type Html, html } from './html.ts';
import { type IconName, icon } from './icons.ts';
import { accountPath, statusPath } from './links.ts';
import { shorten } from './meta.ts';
import { relationButtons } from './relations.ts';
import { article } from './status.ts';
import { timeAgo } from './time.ts';

type ShownNotification = NonNullable<ReturnType<GatewayServices['notifications']['one']>>;
export type ShownGroup = NonNullable<ReturnType<GatewayServices['notificationGroups']['one']>>;

/** Pages group all that the API can group. */
export const groupedHere: ReadonlySet<GroupedType> = new Set(groupedTypes);

/** The number of unread rows of /notifications, counted up to a bound: `3`, `40+`, or nothing. */
export function unreadWords({ services, account }: MemberVisit): string {
  const { unreadCountedMax, unreadLookedMax: lookedMax } = webLimits;
  const { count, isWhole } = services.notificationGroups.countNewer(account.id, {
    choice: {},
    grouped: groupedHere,
    sinceId: markersOf(services.snapshots, account.id).notifications?.lastReadId,
    countMax: unreadCountedMax + 1,
    lookedMax,
  });
  if (count === 0) return '';
  return isWhole && count <= unreadCountedMax ? String(count) : `${Math.min(count, unreadCountedMax)}+`;
}

type Words = readonly [IconName, string];

function wordsFor(
  type: Exclude<
    ShownNotification['notification']['type'],
    'severed_relationships' | 'admin.report' | 'moderation_warning'
  >,
  about: PresentedStatus | undefined,
  ownId: Id,
  count: number,
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
      return count === 1 ? ['person', 'follows you'] : ['people', 'follow you'];
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
      return [count === 1 ? 'person' : 'people', 'signed up'];
  }
}

/** A row of the list. `accounts` are those in its group, newest first, of `count` in all. */
interface Row {
  readonly shown: ShownNotification;
  readonly accounts: readonly Profile[];
  readonly count: number;
  /** The group that it shows: an open page replaces the row with the same subject. */
  readonly subject?: string;
}

export function notificationEntry(visit: MemberVisit, shown: ShownNotification, isUnread: boolean): Html {
  return rowEntry(visit, { shown, accounts: profilesOf(visit, [shown.notification.accountId]), count: 1 }, isUnread);
}

export function groupEntry(
  visit: MemberVisit,
  { key, newest, accountIds, count }: ShownGroup,
  isUnread: boolean,
): Html {
  const profiles = profilesOf(visit, accountIds.slice(0, webLimits.picturedPeopleMax));
  const isGroup = newest.notification.groupHour !== undefined;
  return rowEntry(visit, { shown: newest, accounts: profiles, count, ...(isGroup && { subject: key }) }, isUnread);
}

function profilesOf({ services }: MemberVisit, accountIds: readonly Id[]): Profile[] {
  return accountIds.flatMap((id) => findAccount(services.snapshots, id)?.profile ?? []);
}

function rowEntry(visit: MemberVisit, row: Row, isUnread: boolean): Html {
  const { shown, accounts, count, subject } = row;
  const { id, notification, collection } = shown;
  const [newest] = accounts;
  if (newest === undefined) return html``;
  const { type, statusId } = notification;
  if (type === 'severed_relationships') return severedEntry(visit, shown, isUnread);
  if (type === 'moderation_warning') return warnedEntry(visit, shown, isUnread);
  if (type === 'admin.report') return reportedEntry(visit, shown, newest, isUnread);
  const about = statusId === undefined ? undefined : shownStatus(visit, statusId, 'notification');
  const [drawing, words] = wordsFor(type, about, visit.account.id, count);
  return html`<li class="entry notification${isUnread && ' is-unread'}" id="notification-${id}"${subject !== undefined && html` data-subject="${subject}"`}>
<p class="context ${drawing}">${icon(drawing)} <span>${namesOf(visit, row)} ${words}${
    isUnread && html`<span class="unseen"> (new)</span>`
  }</span> ${timeAgo(notification.createdAt, visit.now)}</p>
${collection !== undefined && html`<p class="quoted"><a href="/collections/${collection.collection.id}" dir="auto">${collection.collection.name}</a></p>`}
${about === undefined ? accounts.slice(0, webLimits.namedPeopleMax).map((profile) => html`<div class="person">${byline(visit, profile)}${relationButtons(visit, profile)}</div>`) : html`${count > 1 && faces(visit, accounts)}${aboutPost(visit, about)}`}</li>`;
}

function namesOf(visit: MemberVisit, { shown, accounts, count }: Row): Html {
  const named = accounts.slice(0, webLimits.namedPeopleMax);
  const others = count - named.length;
  const names = named.map(
    (profile, index) =>
      html`${index > 0 && (others === 0 && index === named.length - 1 ? ' and ' : ', ')}<a href="${accountPath(visit, profile)}">${name(profile)}</a>`,
  );
  if (others === 0) return html`${names}`;
  const words = countOf(others, 'other');
  const isFollow = shown.notification.type === 'follow';
  return html`${names} and ${isFollow ? html`<a href="${accountPath(visit, visit.account.profile)}/followers">${words}</a>` : words}`;
}

function faces(visit: MemberVisit, accounts: readonly Profile[]): Html {
  const links = accounts.map(
    (profile) =>
      html`<a href="${accountPath(visit, profile)}" title="${plainName(profile)}" aria-label="${plainName(profile)}">${avatar(profile, 32)}</a>`,
  );
  return html`<p class="faces">${links}</p>`;
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

function warnedEntry(visit: MemberVisit, { id, notification }: ShownNotification, isUnread: boolean): Html {
  const { warning, createdAt } = notification;
  return warning === undefined ? html`` : warningEntry(visit, { id, ...warning, createdAt }, isUnread);
}

/** With the whole text. */
export function warningEntry(visit: MemberVisit, { id, text, createdAt }: StoredWarning, isUnread: boolean): Html {
  return html`<li class="entry notification${isUnread && ' is-unread'}" id="notification-${id}">
<p class="context about">${icon('about')} <span>The moderators of this server have warned you${
    isUnread && html`<span class="unseen"> (new)</span>`
  }</span> ${timeAgo(createdAt, visit.now)}</p>
<p class="quoted plain-text" dir="auto">${text}</p></li>`;
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
