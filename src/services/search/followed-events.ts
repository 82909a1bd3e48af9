/** What the event logs of the partitions say that the index has to read again. */
import { viewerStateChanged } from '../../actors/account/interactions/interactions.events.ts';
import { profileChanged } from '../../actors/account/profile/profile.events.ts';
import {
  statusCounted,
  statusDeleted,
  statusEdited,
  statusForgotten,
  statusImported,
  statusPublished,
} from '../../actors/account/statuses/statuses.events.ts';
import { readLogged } from '../../actors/events.ts';
import { type EventType, isEvent, type LoggedEvent } from '../../runtime/events/event.ts';
import type { Id } from '../../runtime/ids.ts';

/** A status is new, has changed, or is there no more. */
const ofStatuses = [statusPublished, statusImported, statusEdited, statusDeleted, statusForgotten];

const followed: ReadonlySet<number> = new Set(
  [...ofStatuses, statusCounted, viewerStateChanged, profileChanged].map(({ number }) => number),
);

/** Each once, however often it changed. */
export class Changes {
  readonly statuses = new Set<Id>();
  /** Their counters, or their cards, have changed. */
  readonly counted = new Set<Id>();
  readonly accounts = new Set<Id>();
  readonly interests = new Map<string, { readonly accountId: Id; readonly statusId: Id }>();

  get areNone(): boolean {
    return this.statuses.size + this.counted.size + this.accounts.size + this.interests.size === 0;
  }

  add(logged: LoggedEvent): void {
    if (!followed.has(logged.event)) return;
    const event = readLogged(logged);
    if (event === undefined) return;
    if (isAny(event, ofStatuses)) {
      if (event.body.reblogOfId === undefined) this.statuses.add(event.body.id);
    } else if (isEvent(event, statusCounted)) this.counted.add(event.body.id);
    else if (isEvent(event, profileChanged)) this.accounts.add(event.body.accountId);
    else if (isEvent(event, viewerStateChanged)) {
      const { accountId, statusId } = event.body;
      this.interests.set(`${accountId} ${statusId}`, { accountId, statusId });
    }
  }
}

function isAny<Body>(event: LoggedEvent, types: readonly EventType<Body>[]): event is { event: number; body: Body } {
  return types.some((type) => isEvent(event, type));
}
