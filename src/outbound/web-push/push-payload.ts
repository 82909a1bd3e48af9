/** What a push message says: the JSON object that apps of Mastodon read. */
import type { Notification } from '../../actors/account/notifications/notifications.records.ts';
import type { Profile } from '../../actors/account/profile/profile.records.ts';
import { findProfile, findStatusRecord } from '../../actors/account/remote/federation.queries.ts';
import type { Status } from '../../actors/account/statuses/statuses.records.ts';
import { toPlainLine } from '../../actors/text/plain.ts';
import { shorten } from '../../actors/text/shorten.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import type { Addresses } from '../../services/addresses.ts';
import { defaultPath } from '../../services/media/default-pictures.ts';
import { pictureOrDefault } from '../../services/media/shown-pictures.ts';
import type { Words } from '../../services/words/languages.ts';

export interface PushFacts {
  /** As issued; empty where it is not known. */
  readonly accessToken: string;
  readonly locale: string;
  readonly notificationId: Id;
  readonly type: Notification['type'];
  /** An absolute URL. */
  readonly icon: string;
  readonly title: string;
  readonly body: string;
}

const bodyCharactersMax = 140;
const nameCharactersMax = 60;
/** A longer address would not fit into a message beside the rest: the picture of those without one is sent. */
const iconCharactersMax = 1_024;
/** HTML that is read for the body: some forty mentions of accounts take less. */
const htmlCharactersMax = 8_000;

/**
 * The keys in the order of Mastodon, and `notification_id` as an integer, which apps insist on: written as its digits,
 * because ids are larger than a JavaScript number can hold.
 */
export function pushPayload(facts: PushFacts): Buffer {
  const { accessToken, locale, notificationId, type, icon, title, body } = facts;
  const before = JSON.stringify({ access_token: accessToken, preferred_locale: locale });
  const after = JSON.stringify({ notification_type: type, icon, title, body });
  return Buffer.from(`${before.slice(0, -1)},"notification_id":${notificationId},${after.slice(1)}`);
}

export interface Told {
  readonly notificationId: Id;
  readonly notification: Notification;
  /** Whom it tells. */
  readonly ownId: Id;
  readonly locale: string;
  readonly words: Words;
}

/** Undefined where the sender or the status is gone: then there is nothing to tell. */
export function pushFacts(
  reader: Reader,
  addresses: Addresses,
  told: Told,
): Omit<PushFacts, 'accessToken'> | undefined {
  const { notificationId, notification, locale } = told;
  const sender = findProfile(reader, notification.accountId);
  const { statusId } = notification;
  const status = statusId === undefined ? undefined : findStatusRecord(reader, statusId);
  if (sender === undefined || sender.suspendedAt !== undefined) return undefined;
  if (statusId !== undefined && status === undefined) return undefined;
  return {
    locale,
    notificationId,
    type: notification.type,
    icon: iconOf(sender, addresses),
    title: titleOf(told, shorten(sender.displayName || sender.username, nameCharactersMax), status),
    body: bodyOf(sender, status),
  };
}

function iconOf(sender: Profile, addresses: Addresses): string {
  const { still } = pictureOrDefault(addresses, sender, 'avatar');
  return still.length > iconCharactersMax ? `${addresses.origin}${defaultPath(sender.id, 'avatar')}` : still;
}

/** Behaviour of the Mastodon API: the content warning instead of the text; without a status the sender's note. */
function bodyOf(sender: Profile, status: Status | undefined): string {
  if (status !== undefined && status.spoilerText !== '') return shorten(status.spoilerText, bodyCharactersMax);
  const html = status?.content ?? sender.noteHtml;
  return shorten(toPlainLine(html.slice(0, htmlCharactersMax)), bodyCharactersMax);
}

/** One sentence: who has done what. */
function titleOf({ notification, words, ownId }: Told, name: string, status: Status | undefined): string {
  const { happened, pushed, sanctioned } = words.notifications;
  const one = { names: name, count: 1 };
  switch (notification.type) {
    case 'mention':
      if (status?.visibility === 'direct') return happened.wroteToYou(one);
      return status?.inReplyToAccountId === ownId ? happened.repliedToYou(one) : happened.mentionedYou(one);
    case 'status':
      return happened.posted(one);
    case 'reblog':
      return happened.boosted(one);
    case 'favourite':
      return happened.favourited(one);
    case 'follow':
      return happened.followsYou(one);
    case 'follow_request':
      return happened.asksToFollow(one);
    case 'update':
      return happened.editedBoosted(one);
    case 'poll':
      return notification.accountId === ownId ? pushed.ownPollEnded : happened.pollEnded(one);
    case 'quote':
      return happened.quoted(one);
    case 'quoted_update':
      return happened.editedQuoted(one);
    case 'added_to_collection':
      return happened.collected(one);
    case 'collection_update':
      return happened.collectionEdited(one);
    case 'admin.sign_up':
      return happened.signedUp(one);
    case 'admin.report':
      return pushed.reported({ name });
    case 'severed_relationships':
      return pushed.severed({ server: notification.severance?.targetName ?? '' });
    case 'moderation_warning':
      return sanctioned[notification.warning?.action ?? 'none'];
  }
}
