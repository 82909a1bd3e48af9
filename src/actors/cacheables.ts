/**
 * What threads may cache of actors' state, and by which key. Events declare what they invalidate. An operation that has
 * invalidated something is answered when every gateway has dropped it, unless it `mayLag`: what only others look at.
 */
import { cacheable } from '../runtime/events/event.ts';
import type { Id } from '../runtime/ids.ts';

export const cacheables = {
  /** A status with its counters and replies. */
  status: cacheable<Id>('status'),
  /** A status as an ActivityPub document: with its totals, and the author's own replies. */
  statusDocument: cacheable<Id>('status document', { mayLag: true }),
  /** A profile with its counters. */
  account: cacheable<Id>('account'),
  /** The counters of an account, where its profile has not changed. */
  accountCounters: cacheable<Id>('account counters'),
  /** A profile without its counters. */
  profile: cacheable<Id>('profile'),
  /** The list of an account's statuses. */
  statusesOfAccount: cacheable<Id>('statuses of an account'),
  /** The public timeline and its variants. */
  publicTimeline: cacheable<undefined>('public timeline', { mayLag: true }),
  /** The timeline of the tag with this name; undefined for all tags. */
  tagTimeline: cacheable<string | undefined>('tag timeline', { mayLag: true }),
  /** An upload, while somebody waits for it to be decoded. */
  media: cacheable<Id>('media', { mayLag: true }),
  /** The viewer state of one status: favourited, reblogged … */
  viewerState: cacheable<{ readonly viewerId: Id; readonly statusId: Id }>('viewer state'),
  /** The rights of a token, by its id. */
  grant: cacheable<string>('grant'),
  /** The rights of all tokens of an account. */
  grantsOfAccount: cacheable<Id>('grants of an account'),
  /** The viewer states of all statuses. */
  viewerStates: cacheable<Id>('viewer states'),
  /** The filters of an account. */
  filters: cacheable<Id>('filters'),
  /** The tags that an account follows, and what its home omits from their timelines. */
  followedTags: cacheable<Id>('followed tags'),
  /** The accounts that an account blocks or mutes, and those that block it. */
  hiddenAccounts: cacheable<Id>('hidden accounts'),
  /** What staff decided about a domain; undefined for the mode of federation. */
  domainRule: cacheable<string | undefined>('domain rule'),
  /** Who reads the public timelines. */
  feedAccess: cacheable<undefined>('feed access'),
  /** Whether the server offers subscriptions by mail. */
  emailSubscriptions: cacheable<undefined>('email subscriptions'),
  /** The relays that this server has joined. */
  joinedRelays: cacheable<undefined>('joined relays'),
  /** The subscription of a host to the relay. */
  relaySubscription: cacheable<string>('relay subscription'),
  /** What everybody may do, and roles that staff have added; and how those look. */
  roles: cacheable<undefined>('roles'),
  /** What staff decided about a range of IP addresses. */
  addressBlock: cacheable<string>('address block'),
};
