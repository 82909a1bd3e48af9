/**
 * All events that actors append, by number, so that a stored event can be decoded. A test finds every `*.events.ts`.
 */
import { type EventType, type LoggedEvent, understandEvent } from '../runtime/events/event.ts';
import * as conversations from './account/conversations/conversations.events.ts';
import * as filters from './account/filters/filters.events.ts';
import * as followedTags from './account/followed-tags/followed-tags.events.ts';
import * as interactions from './account/interactions/interactions.events.ts';
import * as kept from './account/kept.events.ts';
import * as lists from './account/lists/lists.events.ts';
import * as media from './account/media/media.events.ts';
import * as mentions from './account/mentions/mentions.events.ts';
import * as notificationRequests from './account/notifications/notification-requests.events.ts';
import * as notifications from './account/notifications/notifications.events.ts';
import * as polls from './account/polls/polls.events.ts';
import * as profile from './account/profile/profile.events.ts';
import * as relationships from './account/relationships/relationships.events.ts';
import * as statuses from './account/statuses/statuses.events.ts';
import * as threads from './account/threads/threads.events.ts';
import * as access from './instance/access/access.events.ts';
import * as domains from './instance/domains/domains.events.ts';
import * as instance from './instance/instance.events.ts';
import * as roles from './instance/roles/roles.events.ts';
import * as servers from './instance/servers/servers.events.ts';
import * as partition from './partition/partition.events.ts';
import * as relay from './relay/relay.events.ts';
import * as session from './session/session.events.ts';

export const eventFiles: readonly object[] = [
  filters,
  followedTags,
  interactions,
  kept,
  lists,
  media,
  mentions,
  notificationRequests,
  notifications,
  polls,
  profile,
  relationships,
  statuses,
  threads,
  conversations,
  access,
  domains,
  instance,
  roles,
  servers,
  partition,
  relay,
  session,
];

export const eventTypes: ReadonlyMap<number, EventType<unknown>> = byNumber();

function byNumber(): Map<number, EventType<unknown>> {
  const types = new Map<number, EventType<unknown>>();
  for (const type of eventFiles.flatMap((file) => Object.values(file).filter(isEventType))) {
    if (types.has(type.number)) throw new Error(`two events have the number ${type.number}`);
    types.set(type.number, type);
  }
  return types;
}

function isEventType(value: object): value is EventType<unknown> {
  return 'invalidates' in value;
}

/**
 * An event of the log, which an earlier version may have written: completed with defaults of newer fields. Undefined
 * where this version cannot read it.
 */
export function readLogged(logged: LoggedEvent): LoggedEvent | undefined {
  return understandEvent(logged, eventTypes);
}
