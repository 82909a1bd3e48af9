/** A notification, or a group of them: who did what, and the post it is about. */

import { markersOf } from '../../../actors/account/markers/markers.queries.ts';
import type { StoredWarning } from '../../../actors/account/moderation/warnings.queries.ts';
import type { Profile } from '../../../actors/account/profile/profile.records.ts';
import { findAccount } from '../../../actors/account/profile/profiles.queries.ts';
import { type GroupedType, groupedTypes } from '../../../actors/policy/notification-groups.ts';
import { toPlainLine } from '../../../actors/text/plain.ts';
import { shorten } from '../../../actors/text/shorten.ts';
import { severedLists } from '../../../operations/leaving/severed-lists.ts';
import type { PresentedStatus } from '../../../operations/presentation/presented-status.ts';
import type { Id } from '../../../runtime/ids.ts';
import { type Html, html } from '../../../services/words/html.ts';
import type { Words } from '../../../services/words/languages.ts';
import type { Sentence } from '../../../services/words/message.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { shownStatus } from '../filtered.ts';
import { webLimits } from '../limits.ts';
import type { MemberVisit, Visit } from '../visit.ts';
import { avatar, byline, name, plainName } from './account.ts';
import { type IconName, icon } from './icons.ts';
import { accountPath, pathOfStatus, statusPath } from './links.ts';
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

type Happened = Words['notifications']['happened'];
/** Sentences about those who did it. */
type Told = {
  [Key in keyof Happened]: Happened[Key] extends Sentence<'names' | 'count'> ? Key : never;
}[keyof Happened];

/** The picture and the sentence. */
function toldOf(
  type: Exclude<
    ShownNotification['notification']['type'],
    'severed_relationships' | 'admin.report' | 'moderation_warning'
  >,
  about: PresentedStatus | undefined,
  ownId: Id,
  count: number,
): readonly [IconName, Told] {
  switch (type) {
    case 'mention':
      if (about?.status.visibility === 'direct') return ['direct', 'wroteToYou'];
      return ['reply', about?.status.inReplyToAccountId === ownId ? 'repliedToYou' : 'mentionedYou'];
    case 'status':
      return ['bell', 'posted'];
    case 'reblog':
      return ['boost', 'boosted'];
    case 'favourite':
      return ['favourite', 'favourited'];
    case 'follow':
      return [count === 1 ? 'person' : 'people', 'followsYou'];
    case 'follow_request':
      return ['person', 'asksToFollow'];
    case 'update':
      return ['edit', 'editedBoosted'];
    case 'poll':
      return ['about', 'pollEnded'];
    case 'quote':
      return ['quote', 'quoted'];
    case 'quoted_update':
      return ['edit', 'editedQuoted'];
    case 'added_to_collection':
      return ['people', 'collected'];
    case 'collection_update':
      return ['edit', 'collectionEdited'];
    case 'admin.sign_up':
      return [count === 1 ? 'person' : 'people', 'signedUp'];
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
  const { notifications } = visit.words;
  const [drawing, told] = toldOf(type, about, visit.account.id, count);
  return html`<li class="entry notification${isUnread && ' is-unread'}" id="notification-${id}"${subject !== undefined && html` data-subject="${subject}"`}>
<p class="context of-${drawing}">${icon(drawing)} <span>${notifications.happened[told]({ names: namesOf(visit, row), count })}${newMark(visit, isUnread)}</span> ${timeAgo(visit, notification.createdAt)}${dismissal(visit, id, subject)}</p>
${collection !== undefined && html`<p class="quoted"><a href="/collections/${collection.collection.id}" dir="auto">${collection.collection.name}</a></p>`}
${about === undefined ? accounts.slice(0, webLimits.namedPeopleMax).map((profile) => html`<div class="person">${byline(visit, profile)}${relationButtons(visit, profile)}</div>`) : html`${count > 1 && faces(visit, accounts)}${aboutPost(visit, about)}`}</li>`;
}

/** Removes the row, and all that is in it. */
function dismissal({ words }: Visit, id: Id, group = `ungrouped-${id}`): Html {
  const { dismiss } = words.notifications;
  return html`<button class="act dismiss" form="acts" formaction="/web/notifications/dismiss?group=${group}" data-changes data-removes title="${dismiss}">${icon('close')}<span class="unseen">${dismiss}</span></button>`;
}

function newMark({ words }: Visit, isUnread: boolean): Html | false {
  return isUnread && html`<span class="unseen"> ${words.notifications.isNew}</span>`;
}

function namesOf(visit: MemberVisit, { shown, accounts, count }: Row): Html {
  const { notifications, formats } = visit.words;
  const named = accounts.slice(0, webLimits.namedPeopleMax);
  const names = named.map((profile) => html`<a href="${accountPath(visit, profile)}">${name(visit, profile)}</a>`);
  const others = count - named.length;
  if (others > 0) {
    const inNumbers = notifications.others({ count: others });
    const path = pathOfAll(visit, shown);
    names.push(path === undefined ? html`${inNumbers}` : html`<a href="${path}">${inNumbers}</a>`);
  }
  return formats.list(names);
}

/** The page of all who did the same, also of those before the group. */
function pathOfAll(visit: MemberVisit, { notification: { type, statusId } }: ShownNotification): string | undefined {
  const { profile } = visit.account;
  if (type === 'follow') return `${accountPath(visit, profile)}/followers`;
  if (statusId === undefined || (type !== 'favourite' && type !== 'reblog')) return undefined;
  return `${pathOfStatus(profile, statusId)}/${type === 'favourite' ? 'favourites' : 'reblogs'}`;
}

function faces(visit: MemberVisit, accounts: readonly Profile[]): Html {
  const links = accounts.map(
    (profile) =>
      html`<a href="${accountPath(visit, profile)}" title="${plainName(profile)}" aria-label="${plainName(profile)}">${avatar(visit, profile, 32)}</a>`,
  );
  return html`<p class="faces">${links}</p>`;
}

function severedEntry(visit: MemberVisit, { id, notification }: ShownNotification, isUnread: boolean): Html {
  const { severance, createdAt } = notification;
  if (severance === undefined) return html``;
  const { severed, severedByStaff, severedFollowers, severedFollowing } = visit.words.notifications.happened;
  const sentence = (severance.type === 'user_domain_block' ? severed : severedByStaff)({
    server: severance.targetName,
    followers: severedFollowers({ count: severance.followersCount }),
    following: severedFollowing({ count: severance.followingCount }),
  });
  return html`<li class="entry notification${isUnread && ' is-unread'}" id="notification-${id}">
<p class="context of-people">${icon('people')} <span>${sentence}${newMark(visit, isUnread)}</span> ${timeAgo(visit, createdAt)}${dismissal(visit, id)}</p>
${severance.severanceId !== undefined && html`<p class="fine">${severedFiles(visit, severance.severanceId)}</p>`}</li>`;
}

/** Links to what was lost. */
export function severedFiles({ words: { notifications } }: MemberVisit, severanceId: Id): Html {
  const links = severedLists.map(
    (list) =>
      html`<a href="/settings/exports/severed/${severanceId}/${list}.csv" download>${notifications.severedFiles[list]}</a>`,
  );
  return html`${links[0]} · ${links[1]}`;
}

function warnedEntry(visit: MemberVisit, { id, notification }: ShownNotification, isUnread: boolean): Html {
  const { warning, createdAt } = notification;
  if (warning === undefined) return html``;
  return warningEntry(visit, { id, ...warning, createdAt }, isUnread, dismissal(visit, id));
}

/** With the whole text. */
export function warningEntry(visit: Visit, strike: StoredWarning, isUnread: boolean, beside?: Html): Html {
  const { id, action, text, createdAt } = strike;
  return html`<li class="entry notification${isUnread && ' is-unread'}" id="notification-${id}">
<p class="context of-about">${icon('about')} <span>${visit.words.notifications.sanctioned[action]}${newMark(visit, isUnread)}</span> ${timeAgo(visit, createdAt)}${beside}</p>
${text !== '' && html`<p class="quoted plain-text" dir="auto">${text}</p>`}</li>`;
}

/** For staff, who close it with the command line. */
function reportedEntry(visit: MemberVisit, { id, report }: ShownNotification, by: Profile, isUnread: boolean): Html {
  if (report === undefined) return html``;
  const { comment, category, createdAt, resolvedAt } = report.report;
  const { happened, reportCategory } = visit.words.notifications;
  const link = (profile: Profile) => html`<a href="${accountPath(visit, profile)}">${name(visit, profile)}</a>`;
  const told = { by: link(by), account: link(report.target.profile), category: reportCategory[category] };
  const sentence = resolvedAt === undefined ? happened.reported(told) : happened.reportedAndClosed(told);
  return html`<li class="entry notification${isUnread && ' is-unread'}" id="notification-${id}">
<p class="context of-about">${icon('about')} <span>${sentence}${newMark(visit, isUnread)}</span> ${timeAgo(visit, createdAt)}${dismissal(visit, id)}</p>
${comment !== '' && html`<p class="quoted" dir="auto">${shorten(comment.replace(/\s+/g, ' '), webLimits.quotedCharactersMax)}</p>`}</li>`;
}

/** Only the beginning of the visitor's own post. */
function aboutPost(visit: MemberVisit, view: PresentedStatus): Html {
  const { content, spoilerText, accountId } = view.status;
  if (accountId !== visit.account.id) return article(visit, view.reblog ?? view, view.status.id);
  const text = spoilerText === '' ? toPlainLine(content) : spoilerText;
  return html`<p class="quoted"><a href="${statusPath(visit, view)}" dir="auto">${shorten(text, webLimits.quotedCharactersMax)}</a></p>`;
}
