/** Addresses of local things that only ActivityPub needs, beside those of `Addresses`, and how to read them. */
import { type Id, parseId } from '../runtime/ids.ts';
import type { Addresses } from '../services/addresses.ts';

export function repliesAddress(addresses: Addresses, username: string, statusId: Id): string {
  return `${addresses.status(username, statusId)}/replies`;
}

export function instanceInbox(addresses: Addresses): string {
  return `${addresses.instanceActor}/inbox`;
}

export function instanceOutbox(addresses: Addresses): string {
  return `${addresses.instanceActor}/outbox`;
}

export function instanceKeyId(addresses: Addresses): string {
  return `${addresses.instanceActor}#main-key`;
}

/** The id in the address of a local activity without an object of its own: a Follow, a Like, a Block. */
export function activityIdOf(addresses: Addresses, uri: string): Id | undefined {
  const start = `${addresses.origin}/activities/`;
  return uri.startsWith(start) ? parseId(uri.slice(start.length)) : undefined;
}

/** The id of a local reblog in the address of its Announce. */
export function announcedIdOf(addresses: Addresses, uri: string): Id | undefined {
  const end = '/activity';
  return uri.endsWith(end) ? addresses.statusOf(uri.slice(0, -end.length))?.id : undefined;
}
