/**
 * Resuming a stream: what was committed after the positions that the client names, read from the event logs in order, by
 * the policy of now. Where a log no longer reaches back that far, or too much was missed, the client hears of a gap and
 * pages.
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
import { isEvent, type LoggedEvent } from '../../runtime/events/event.ts';
import { eventsFrom } from '../../runtime/events/event-log.ts';
import type { Services } from '../services.ts';
import { carries } from './channels.ts';
import { StreamFrame } from './frame.ts';
import { streamLimits } from './limits.ts';
import { notificationPayload, statusPayload } from './payloads.ts';
import type { Position } from './position.ts';
import type { Subscriber } from './subscriber.ts';

export interface Replay {
  readonly frames: readonly StreamFrame[];
  /** The last position of each partition that was read, whether it concerned the viewer or not. */
  readonly reached: Map<number, Position> | undefined;
}

export function replay(services: Services, subscriber: Subscriber, since: readonly Position[]): Replay {
  const frames: StreamFrame[] = [];
  const reached = new Map<number, Position>();
  const budget = { events: streamLimits.replayEventsReadMax };
  services.snapshots.fresh();
  for (const position of partitionsOf(services, subscriber, since)) {
    const last = replayPartition(services, subscriber, position, frames, budget);
    if (last === undefined) return { frames: [new StreamFrame('gap', '{}', position)], reached: undefined };
    reached.set(position.partition, last);
  }
  return { frames, reached: reached.size === 0 ? undefined : reached };
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

/** The last position read; undefined where the log does not hold the one asked for, or holds too much behind it. */
function replayPartition(
  services: Services,
  subscriber: Subscriber,
  position: Position,
  frames: StreamFrame[],
  budget: { events: number },
): Position | undefined {
  const reader = services.snapshots.partitions[position.partition]!;
  let last: Position | undefined;
  for (const batch of eventsFrom(reader, position.partition, position.commit)) {
    // What a log that begins later has held before, nobody can tell.
    if (last === undefined && batch.commit !== position.commit) return undefined;
    last ??= position;
    budget.events -= batch.events.length;
    if (budget.events < 0) return undefined;
    const first = batch.commit === position.commit ? position.index + 1 : 0;
    for (let index = first; index < batch.events.length; index += 1) {
      last = { partition: batch.partition, commit: batch.commit, index };
      const frame = frameOf(services, subscriber, batch.events[index]!, last);
      if (frame !== undefined) frames.push(frame);
      if (frames.length > streamLimits.replayEventsMax) return undefined;
    }
  }
  return last;
}

function frameOf(
  services: Services,
  subscriber: Subscriber,
  event: LoggedEvent,
  at: Position,
): StreamFrame | undefined {
  const { accountId } = subscriber.connection.grant;
  const { audience } = subscriber.channel.kind;
  if (isEvent(event, notified)) {
    if (event.body.accountId !== accountId || (audience !== 'account' && audience !== 'notifications'))
      return undefined;
    return frame('notification', notificationPayload(services, accountId, event.body.notificationId), at);
  }
  const facts = factsOf(event);
  if (facts === undefined || audience === 'notifications' || !concerns(services, subscriber, event, facts))
    return undefined;
  if (isEvent(event, statusDeleted) || isEvent(event, statusGone))
    return new StreamFrame('delete', facts.id.toString(), at);
  return frame('update', statusPayload(services, facts.id, accountId), at);
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

function frame(event: string, payload: string | undefined, at: Position): StreamFrame | undefined {
  return payload === undefined ? undefined : new StreamFrame(event, payload, at);
}
