/**
 * Which events reach streams: their recipients and payloads. One row each, used by the fan-out of live events and by
 * replays alike.
 */

import { conversationContinued } from '../../actors/account/conversations/conversations.events.ts';
import { filtersChanged } from '../../actors/account/filters/filters.events.ts';
import { homeFactsBelong } from '../../actors/account/home/home.queries.ts';
import { viewerStateChanged } from '../../actors/account/interactions/interactions.events.ts';
import { notifiedStatusEdited, statusWithdrawn } from '../../actors/account/mentions/mentions.events.ts';
import { notificationsMerged } from '../../actors/account/notifications/notification-requests.events.ts';
import { notified } from '../../actors/account/notifications/notifications.events.ts';
import { pollCounted } from '../../actors/account/polls/polls.events.ts';
import {
  type StatusFacts,
  statusArrived,
  statusCounted,
  statusDeleted,
  statusDetached,
  statusEdited,
  statusGone,
  statusPublished,
  statusRevised,
} from '../../actors/account/statuses/statuses.events.ts';
import { replyAttached } from '../../actors/account/threads/threads.events.ts';
import { announced, announcementReacted, announcementWithdrawn } from '../../actors/partition/partition.events.ts';
import { sufficientScopes } from '../../operations/applications/scopes.ts';
import type { PresentationContext } from '../../operations/presentation/contexts.ts';
import type { Reblog } from '../../operations/timelines/originals.ts';
import type { EventType, LoggedEvent } from '../../runtime/events/event.ts';
import { type Id, timeOfId } from '../../runtime/ids.ts';
import type { Snapshots } from '../../runtime/storage/snapshots.ts';
import { done, noPayload, Payload, type Payloads } from './payloads.ts';

/** The name for clients. */
export type StreamEventName =
  | 'update'
  | 'status.update'
  | 'delete'
  | 'notification'
  | 'filters_changed'
  | 'conversation'
  | 'notifications_merged'
  | 'announcement'
  | 'announcement.reaction'
  | 'announcement.delete'
  /** Of the channel of the machine (machine-channel.ts). */
  | 'machine';

/** A change of one status, for channels that watch it, its thread or its author. */
export interface WatchedChange {
  readonly statusId: Id;
  /** Absent where only its counters or what is shown with it have changed. */
  readonly facts?: StatusFacts;
  /** What has changed is the state of one viewer. */
  readonly viewerId?: Id;
}

/** Undefined where there is nothing to show any more, or nothing that may be shown there. */
export interface EventPayloads {
  /** For public channels. */
  readonly inPublic: () => Payload | undefined;
  /** For a viewer who needs no frames of its own. */
  readonly of: (viewerId: Id) => Payload | undefined;
  /** For any viewer. */
  readonly personal: (viewerId: Id) => Payload | undefined;
  /** For any viewer, in public channels. */
  readonly personalInPublic: (viewerId: Id) => Payload | undefined;
  /** For any viewer, in channels that watch: by what the viewer may see now, and nothing else. */
  readonly watched: (viewerId: Id, context: PresentationContext) => Payload | undefined;
}

/** The accounts whose channels get an event. */
interface Recipients<Body> {
  /** Live; `audience` are the listening accounts that the partition's owner named for the event. */
  live(body: Body, audience: readonly Id[]): readonly Id[];
  /** In a replay, by current storage. */
  include(body: Body, accountId: Id, snapshots: Snapshots): boolean;
}

interface Row<Body> {
  readonly name: StreamEventName;
  /** A token needs any one of these to get it. */
  readonly scopes: readonly string[];
  readonly recipients: Recipients<Body>;
  /** Its status, by which public channels and viewers' filters decide. */
  status?(body: Body): StatusFacts;
  /** Its audience is every account of the partition. */
  readonly isForEverybody?: true;
  /** Public channels carry it as well. */
  readonly isPublic?: true;
  /** Absent where channels that watch do not carry it. */
  watched?(body: Body): WatchedChange;
  /** Sent also to viewers who hide the author now: they may have been shown the status before. */
  readonly isUnfiltered?: true;
  /** Left out for an old status: it is in timelines, not in streams. */
  readonly isNews?: true;
  payloads(payloads: Payloads, body: Body, isLive: boolean): EventPayloads;
}

const homes: Recipients<StatusFacts> = {
  live: (_facts, audience) => audience,
  include: (facts, accountId, snapshots) => homeFactsBelong(snapshots, accountId, facts),
};

const oneAccount: Recipients<{ readonly accountId: Id }> = {
  live: ({ accountId }) => [accountId],
  include: (body, accountId) => body.accountId === accountId,
};

const noAccounts: readonly Id[] = [];

/** Every account of the logging partition: all partitions log the event. */
const everybody: Recipients<unknown> = {
  live: (_body, audience) => audience,
  include: () => true,
};

/** Only channels that watch carry it. */
const nobody: Recipients<unknown> = {
  live: () => noAccounts,
  include: () => false,
};

const changed = (facts: StatusFacts): WatchedChange => ({ statusId: facts.id, facts });
const counted = { name: 'status.update', scopes: ['read:statuses'], recipients: nobody } as const;

const aboutStatus = { scopes: ['read:statuses'], recipients: homes, status: (facts: StatusFacts) => facts };
const newStatus = { ...aboutStatus, name: 'update', isNews: true, payloads: newStatusPayloads } as const;
const editedStatus = { ...aboutStatus, name: 'status.update', payloads: ofStatus } as const;
const deletedStatus = { ...aboutStatus, name: 'delete', isUnfiltered: true, payloads: deletionPayloads } as const;

/** For every token that may open the channel. */
const toEverybody = {
  scopes: ['read:statuses', 'read:notifications'],
  recipients: everybody,
  isForEverybody: true,
} as const;

const rows: ReadonlyMap<number, (body: unknown) => StreamEvent> = new Map([
  row(statusPublished, { ...newStatus, isPublic: true, watched: changed }),
  row(statusArrived, newStatus),
  row(replyAttached, { ...newStatus, watched: changed }),
  row(statusEdited, { ...editedStatus, isPublic: true, watched: changed }),
  row(statusRevised, editedStatus),
  row(notifiedStatusEdited, {
    ...{ name: 'status.update', scopes: ['read:statuses'], recipients: oneAccount, status: ({ facts }) => facts },
    payloads: (payloads, { facts }) => statusPayloads(payloads, facts.id),
  }),
  row(statusDeleted, { ...deletedStatus, isPublic: true, watched: changed }),
  row(statusGone, deletedStatus),
  ...[statusCounted, statusDetached].map((type) =>
    row(type, {
      ...counted,
      watched: ({ id }) => ({ statusId: id }),
      payloads: (payloads, { id }) => statusPayloads(payloads, id),
    }),
  ),
  row(pollCounted, {
    ...counted,
    watched: ({ statusId }) => ({ statusId }),
    payloads: (payloads, { statusId }) => statusPayloads(payloads, statusId),
  }),
  row(viewerStateChanged, {
    ...counted,
    watched: ({ accountId, statusId }) => ({ statusId, viewerId: accountId }),
    payloads: (payloads, { statusId }) => statusPayloads(payloads, statusId),
  }),
  row(statusWithdrawn, {
    name: 'delete',
    scopes: ['read:statuses'],
    recipients: oneAccount,
    payloads: (_payloads, { statusId }) => samePayload(() => new Payload(statusId.toString())),
  }),
  row(notified, {
    name: 'notification',
    scopes: ['read:notifications'],
    recipients: oneAccount,
    payloads: (payloads, { accountId, notificationId }) =>
      samePayload(() => payloads.notification(accountId, notificationId)),
  }),
  row(notificationsMerged, {
    name: 'notifications_merged',
    scopes: ['read:notifications'],
    recipients: oneAccount,
    payloads: () => samePayload(() => done),
  }),
  row(conversationContinued, {
    name: 'conversation',
    scopes: ['read:statuses'],
    recipients: oneAccount,
    payloads: (payloads, { accountId, threadId }) => samePayload(() => payloads.conversation(accountId, threadId)),
  }),
  row(announced, {
    ...toEverybody,
    name: 'announcement',
    payloads: (payloads, { announcementId }) => samePayload(() => payloads.announcement(announcementId)),
  }),
  row(announcementReacted, {
    ...toEverybody,
    name: 'announcement.reaction',
    payloads: (_payloads, { announcementId, name, count }) =>
      samePayload(() => new Payload(JSON.stringify({ name, count, announcement_id: announcementId.toString() }))),
  }),
  row(announcementWithdrawn, {
    ...toEverybody,
    name: 'announcement.delete',
    payloads: (_payloads, { announcementId }) => samePayload(() => new Payload(announcementId.toString())),
  }),
  row(filtersChanged, {
    name: 'filters_changed',
    // It has no content, so every token that may open the channel gets it.
    scopes: ['read:statuses', 'read:notifications', 'read:filters'],
    recipients: oneAccount,
    payloads: () => samePayload(() => noPayload),
  }),
]);

/** Whether it shows a quote or collections, which not all viewers are shown alike. */
export function hasShownParts({ quoteOfAccountId, hasCollections }: StatusFacts): boolean {
  return quoteOfAccountId !== undefined || hasCollections === true;
}

/** An event for streams, as declared in its row. */
export class StreamEvent {
  readonly name: StreamEventName;
  readonly sufficientScopes: readonly string[];
  readonly status: StatusFacts | undefined;
  readonly isPublic: boolean;
  /** A new reblog, which homes and lists leave out where it is a repetition. */
  readonly newReblog: Reblog | undefined;
  private readonly row: Row<unknown>;
  private readonly body: unknown;

  constructor(declared: Row<unknown>, scopes: readonly string[], body: unknown) {
    this.name = declared.name;
    this.sufficientScopes = scopes;
    this.status = declared.status?.(body);
    this.isPublic = declared.isPublic === true;
    this.newReblog = declared.isNews === true ? reblogOf(this.status) : undefined;
    this.row = declared;
    this.body = body;
  }

  /** The status by which viewers' filters decide; undefined where they do not apply. */
  get filtered(): StatusFacts | undefined {
    return this.row.isUnfiltered ? undefined : this.status;
  }

  /** Undefined where channels that watch do not carry it. */
  get watched(): WatchedChange | undefined {
    return this.row.watched?.(this.body);
  }

  get isForEverybody(): boolean {
    return this.row.isForEverybody === true;
  }

  isOlderThan(milliseconds: number): boolean {
    return this.row.isNews === true && this.status !== undefined && timeOfId(this.status.id) < milliseconds;
  }

  recipients(audience: readonly Id[]): readonly Id[] {
    return this.row.recipients.live(this.body, audience);
  }

  concerns(accountId: Id, snapshots: Snapshots): boolean {
    return this.row.recipients.include(this.body, accountId, snapshots);
  }

  payloads(payloads: Payloads, isLive: boolean): EventPayloads {
    return this.row.payloads(payloads, this.body, isLive);
  }
}

function reblogOf(status: StatusFacts | undefined): Reblog | undefined {
  return status?.reblogOfId === undefined ? undefined : { id: status.id, reblogOfId: status.reblogOfId };
}

/** Undefined for an event that no stream shows. */
export function streamEventOf({ event, body }: LoggedEvent): StreamEvent | undefined {
  return rows.get(event)?.(body);
}

function row<Body>(
  type: EventType<Body>,
  declared: Row<NoInfer<Body>>,
): [number: number, eventOf: (body: unknown) => StreamEvent] {
  const scopes = sufficientScopes(declared.scopes);
  return [type.number, (body) => new StreamEvent(declared, scopes, body)];
}

/**
 * A new status is the same for all: nobody has favourited it yet. Exceptions are a reblog, whose original may have
 * been, what it shows of others, and a limited quote policy.
 */
function newStatusPayloads(payloads: Payloads, facts: StatusFacts, isLive: boolean): EventPayloads {
  const personal = statusPayloads(payloads, facts.id);
  if (!isLive || facts.reblogOfId !== undefined || hasShownParts(facts)) return personal;
  const { of: shared } = samePayload(() => payloads.statusForStranger(facts.id));
  const isShared = (viewerId: Id) => payloads.isForStrangers(facts.id, viewerId);
  return { ...personal, of: (viewerId) => (isShared(viewerId) ? shared(viewerId) : personal.of(viewerId)) };
}

function ofStatus(payloads: Payloads, { id }: StatusFacts): EventPayloads {
  return statusPayloads(payloads, id);
}

function statusPayloads(payloads: Payloads, id: Id): EventPayloads {
  return {
    inPublic: () => payloads.statusInPublic(id),
    of: (viewerId) => payloads.statusIn('stream', id, viewerId),
    personal: (viewerId) => payloads.statusIn('stream', id, viewerId),
    personalInPublic: (viewerId) => payloads.statusIn('publicStream', id, viewerId),
    watched: (viewerId, context) => payloads.statusIn(context, id, viewerId),
  };
}

/** Channels that watch tell a deletion to those who could see the status. */
function deletionPayloads(payloads: Payloads, facts: StatusFacts): EventPayloads {
  const same = samePayload(() => new Payload(facts.id.toString()));
  return { ...same, watched: (viewerId) => (payloads.couldSee(facts, viewerId) ? same.inPublic() : undefined) };
}

/** Created when first needed, and once. */
function samePayload(make: () => Payload | undefined): EventPayloads {
  let made: { readonly payload: Payload | undefined } | undefined;
  const payload = () => {
    made ??= { payload: make() };
    return made.payload;
  };
  return { inPublic: payload, of: payload, personal: payload, personalInPublic: payload, watched: payload };
}
