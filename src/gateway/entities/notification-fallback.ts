/**
 * The NotificationFallback entity (Mastodon API 4.6): what a notification says in words, for clients that do not know its
 * type. Clients list the types that they know; those that all clients know have no fallback.
 */
import { z } from 'zod';
import type {
  Notification,
  NotificationType,
  WarningAction,
} from '../../actors/account/notifications/notifications.records.ts';
import { escapeHtml } from '../../actors/text/escape.ts';
import type { ShownCollection } from '../../operations/presentation/collections.ts';
import type { ShownReport } from '../../operations/presentation/reports.ts';
import type { Addresses } from '../../services/addresses.ts';
import { type AccountEntity, accountEntity } from './account.ts';
import { collectionEntity } from './collection.ts';
import { text } from './values.ts';

/** All are HTML. */
export const NotificationFallbackEntity = z
  .strictObject({
    title: text.min(1),
    summary: text.nullable(),
    details: text.nullable(),
    /** What Mastodon sends in place of the documented `details`. */
    description: text.nullable(),
  })
  .meta({ id: 'NotificationFallback' });
type NotificationFallback = z.output<typeof NotificationFallbackEntity>;

/** The types that a client says it knows; undefined for one that wants no fallbacks. */
export type SupportedTypes = ReadonlySet<string> | undefined;

export interface NotificationInWords {
  readonly notification: Notification;
  readonly collection?: ShownCollection;
  readonly report?: ShownReport;
  /** How many more accounts did the same. */
  readonly others: number;
}

type Author = Pick<AccountEntity, 'url' | 'uri' | 'username'>;

/** `author` is asked for where there are words to write. */
export function notificationFallback(
  about: NotificationInWords,
  supported: SupportedTypes,
  author: () => Author,
  addresses: Addresses,
): NotificationFallback | undefined {
  const { type } = about.notification;
  if (!needsFallback(type, supported)) return undefined;
  const words = wordsOf(type, about, author, addresses);
  if (words === undefined) return undefined;
  const { title, summary = null, details = null } = words;
  return { title, summary, details, description: details };
}

/** Types that most clients do not know yet. */
const newTypes: ReadonlySet<NotificationType> = new Set([
  ...([
    'severed_relationships',
    'admin.sign_up',
    'admin.report',
    'added_to_collection',
    'collection_update',
    'moderation_warning',
  ] as const),
]);

export function needsFallback(type: NotificationType, supported: SupportedTypes): boolean {
  return supported !== undefined && newTypes.has(type) && !supported.has(type);
}

interface Words {
  readonly title: string;
  readonly summary?: string;
  readonly details?: string;
}

function wordsOf(
  type: NotificationType,
  { notification, collection, report, others }: NotificationInWords,
  author: () => Author,
  addresses: Addresses,
): Words | undefined {
  switch (type) {
    case 'severed_relationships':
      return notification.severance && severed(notification.severance);
    case 'moderation_warning':
      return notification.warning && warned(notification.warning);
    case 'admin.sign_up':
      return { title: `${mention(author())}${others === 0 ? '' : ` and ${others} more`} signed up` };
    case 'admin.report':
      return report && reported(author(), report, addresses);
    case 'added_to_collection':
      return collection && { title: `${mention(author())} put you into a collection`, ...named(collection, addresses) };
    case 'collection_update':
      return (
        collection && {
          title: `${mention(author())} changed a collection that you are in`,
          ...named(collection, addresses),
        }
      );
    default:
      return undefined;
  }
}

function severed({ type, targetName, followersCount, followingCount }: NonNullable<Notification['severance']>): Words {
  const name = escapeHtml(targetName);
  return {
    title: type === 'user_domain_block' ? `You hid ${name}` : `The moderators of this server have suspended ${name}`,
    summary: `This ended follows: ${followersCount} of you, ${followingCount} by you.`,
  };
}

const sanctioned: Readonly<Record<WarningAction, string>> = {
  none: 'You have received a moderation warning',
  disable: 'Your account was disabled by the moderators',
  mark_statuses_as_sensitive: 'The moderators have marked posts of yours as sensitive',
  delete_statuses: 'The moderators have deleted posts of yours',
  sensitive: 'The moderators show all your media as sensitive',
  silence: 'Your account was limited by the moderators',
  suspend: 'Your account was suspended by the moderators',
};

function warned({ action, text }: NonNullable<Notification['warning']>): Words {
  const title = sanctioned[action];
  return text === '' ? { title } : { title, details: escapeHtml(text).replaceAll('\n', '<br>') };
}

function reported(reporter: Author, { report, target }: ShownReport, addresses: Addresses): Words {
  const title = `${mention(reporter)} reported ${mention(accountEntity(target, addresses))}`;
  return report.comment === '' ? { title } : { title, details: escapeHtml(report.comment) };
}

function named(collection: ShownCollection, addresses: Addresses): Pick<Words, 'summary'> {
  const { name, url, uri } = collectionEntity(collection, addresses);
  return { summary: `<a href="${escapeHtml(url ?? uri)}">${escapeHtml(name)}</a>` };
}

/** As in the text of a status. */
function mention({ username, url, uri }: Author): string {
  return (
    `<span class="h-card" translate="no"><a href="${escapeHtml(url ?? uri)}" class="u-url mention">` +
    `@<span>${escapeHtml(username)}</span></a></span>`
  );
}
