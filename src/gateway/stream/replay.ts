/**
 * Resuming a stream: what was committed after the position that the client names is read from the event logs and sent in
 * order, by the policy of now; then the channel goes live. Where the log no longer reaches back that far, or the client
 * missed too much, it hears of a gap and pages.
 *
 * Everything here runs in one go, so no live event can come between: a live frame is sent by a later task.
 */

import {
  notified,
  type StatusFacts,
  statusArrived,
  statusDeleted,
  statusGone,
  statusPublished,
} from '../../actors/account/account.events.ts';
import { homeFactsBelong } from '../../actors/account/home.queries.ts';
import { type EventBatch, isEvent, type LoggedEvent } from '../../runtime/events/event.ts';
import { eventsFrom, oldestEventCommit } from '../../runtime/events/event-log.ts';
import type { Services } from '../services.ts';
import { carries } from './channels.ts';
import { StreamFrame } from './frame.ts';
import type { StreamHub } from './hub.ts';
import { streamLimits } from './limits.ts';
import { notificationPayload, statusPayload } from './payloads.ts';
import { formatPosition, type Position } from './position.ts';
import type { Subscriber } from './subscriber.ts';

export function replay(
  services: Services,
  hub: StreamHub,
  subscriber: Subscriber,
  positions: readonly Position[],
): void {
  const frames: StreamFrame[] = [];
  services.snapshots.fresh();
  for (const position of partitionsOf(services, subscriber, positions)) {
    if (!replayPartition(services, subscriber, position, frames)) {
      hub.gap(subscriber);
      return;
    }
  }
  for (const frame of frames) subscriber.connection.deliver(subscriber, frame);
}

/** An account's channel follows its own partition only. */
function partitionsOf(services: Services, subscriber: Subscriber, positions: readonly Position[]): readonly Position[] {
  const home = services.feeds.partitionOf(subscriber.connection.grant.accountId);
  const { audience } = subscriber.channel.kind;
  const ofAccount = audience === 'account' || audience === 'notifications';
  return positions.filter(({ partition }) =>
    ofAccount ? partition === home : partition < services.snapshots.partitions.length,
  );
}

/** False when something in between is not kept any more. */
function replayPartition(
  services: Services,
  subscriber: Subscriber,
  position: Position,
  frames: StreamFrame[],
): boolean {
  const reader = services.snapshots.partitions[position.partition]!;
  const oldest = oldestEventCommit(reader);
  if (oldest !== undefined && oldest > position.commit) return false;
  for (const batch of eventsFrom(reader, position.partition, position.commit)) {
    const first = batch.commit === position.commit ? position.index + 1 : 0;
    for (let index = first; index < batch.events.length; index += 1) {
      const frame = frameOf(services, subscriber, batch, index);
      if (frame !== undefined) frames.push(frame);
      if (frames.length > streamLimits.replayEventsMax) return false;
    }
  }
  return true;
}

function frameOf(
  services: Services,
  subscriber: Subscriber,
  batch: EventBatch,
  index: number,
): StreamFrame | undefined {
  const event = batch.events[index]!;
  const id = formatPosition(batch.partition, batch.commit, index);
  const { accountId } = subscriber.connection.grant;
  const { audience } = subscriber.channel.kind;
  if (isEvent(event, notified)) {
    if (event.body.accountId !== accountId || (audience !== 'account' && audience !== 'notifications'))
      return undefined;
    return frame('notification', notificationPayload(services, accountId, event.body.notificationId), id);
  }
  const facts = factsOf(event);
  if (facts === undefined || audience === 'notifications' || !concerns(services, subscriber, event, facts))
    return undefined;
  if (isEvent(event, statusDeleted) || isEvent(event, statusGone))
    return new StreamFrame('delete', facts.id.toString(), id);
  return frame('update', statusPayload(services, facts.id, accountId), id);
}

function factsOf(event: LoggedEvent): StatusFacts | undefined {
  for (const type of [statusPublished, statusArrived, statusDeleted, statusGone])
    if (isEvent(event, type)) return event.body;
  return undefined;
}

function concerns(services: Services, subscriber: Subscriber, event: LoggedEvent, facts: StatusFacts): boolean {
  if (!subscriber.sight.shows(facts, services.now())) return false;
  if (subscriber.channel.kind.audience === 'account')
    return homeFactsBelong(services.snapshots, subscriber.connection.grant.accountId, facts);
  return (isEvent(event, statusPublished) || isEvent(event, statusDeleted)) && carries(subscriber.channel, facts);
}

function frame(event: string, payload: string | undefined, id: string): StreamFrame | undefined {
  return payload === undefined ? undefined : new StreamFrame(event, payload, id);
}
