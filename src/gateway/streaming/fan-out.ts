/** Sends a live event to the streams of its recipients. */
import type { Id } from '../../runtime/ids.ts';
import type { GatewayServices } from '../gateway-services.ts';
import { CountedStatuses } from './counted-statuses.ts';
import { type FrameIds, gapFrame, StreamFrame } from './frame.ts';
import { streamLimits } from './limits.ts';
import type { Payload, Payloads } from './payloads.ts';
import type { PublicGroup, PublicGroups } from './public-groups.ts';
import { type EventPayloads, hasShownParts, type StreamEvent } from './stream-events.ts';
import type { Subscriber } from './subscriber.ts';
import { comesByTag, type TagFollowers } from './tag-followers.ts';
import type { Viewer } from './viewer.ts';
import type { Watchers } from './watchers.ts';

const nobody: ReadonlySet<Viewer> = new Set();
const noGroups: readonly PublicGroup[] = [];

export interface FanOutOptions {
  readonly services: GatewayServices;
  readonly payloads: Payloads;
  readonly viewers: ReadonlyMap<Id, Viewer>;
  readonly groups: PublicGroups;
  readonly tagFollowers: TagFollowers;
  readonly watchers: Watchers;
}

export class FanOut {
  private readonly options: FanOutOptions;
  private readonly counted = new CountedStatuses();

  constructor(options: FanOutOptions) {
    this.options = options;
  }

  /** `idsOf` is called when the event has any recipient. */
  send(event: StreamEvent, audience: readonly Id[], idsOf: () => FrameIds): void {
    const { services, payloads, viewers, groups, tagFollowers, watchers } = this.options;
    const now = services.now();
    if (watchers.has(event)) this.tellWatchers(event, idsOf, now);
    if (event.isOlderThan(now - streamLimits.newsMilliseconds)) return;
    const accounts = event.recipients(audience);
    const concerned = event.isPublic ? groups.carrying(event) : noGroups;
    const byTag = event.isPublic && event.status !== undefined ? tagFollowers.of(event.status) : nobody;
    if (accounts.length === 0 && concerned.length === 0 && byTag.size === 0) return;
    const frames = new EventFrames(event, event.payloads(payloads, true), idsOf);
    const { filtered } = event;
    const isPersonal = filtered !== undefined && hasShownParts(filtered);
    for (const accountId of accounts) {
      const viewer = viewers.get(accountId);
      if (viewer === undefined || (filtered !== undefined && !viewer.shows(filtered, now))) continue;
      const isOwn = () =>
        isPersonal || viewer.needsOwnFrames || (filtered !== undefined && viewer.mentionsHidden(filtered, now));
      this.deliver(viewer, event, frames, () => (isOwn() ? frames.personal(accountId) : frames.of(accountId)));
    }
    for (const viewer of byTag) this.sendByTag(viewer, event, frames, now);
    const shared = concerned.length === 0 ? undefined : this.orGap(frames, () => frames.inPublic());
    if (shared === undefined) return;
    const audienceFrames = {
      shared,
      of: (viewerId: Id) => this.orGap(frames, () => frames.personalInPublic(viewerId)),
    };
    for (const group of concerned) groups.send(group, audienceFrames, filtered, now);
  }

  private tellWatchers(event: StreamEvent, idsOf: () => FrameIds, now: number): void {
    const { watched: change } = event;
    const isOld = event.isOlderThan(now - streamLimits.newsMilliseconds);
    const send = () => this.sendWatched(event, idsOf, isOld);
    // Whoever has changed its own state is shown it at once.
    if (change === undefined || change.facts !== undefined || change.viewerId !== undefined) send();
    else this.counted.changed(change.statusId, send);
  }

  private sendWatched(event: StreamEvent, idsOf: () => FrameIds, isOld: boolean): void {
    const { payloads, watchers } = this.options;
    const frames = new EventFrames(event, event.payloads(payloads, true), idsOf);
    for (const subscriber of watchers.of(event)) {
      if (subscriber.replay !== undefined || (isOld && subscriber.channel.kind.watched?.carriesOld !== true)) continue;
      const frame = this.orGap(frames, () => frames.watched(subscriber));
      if (frame !== undefined) subscriber.connection.deliver(subscriber, frame);
    }
  }

  private sendByTag(viewer: Viewer, event: StreamEvent, frames: EventFrames, now: number): void {
    const { status, filtered } = event;
    if (filtered !== undefined && !viewer.shows(filtered, now)) return;
    this.deliver(viewer, event, frames, () => {
      if (!comesByTag(viewer, event, this.options.services.snapshots)) return undefined;
      const isPersonal = status !== undefined && (hasShownParts(status) || viewer.mentionsHidden(status, now));
      return frames.byTag(viewer.accountId, viewer.needsOwnFrames || isPersonal);
    });
  }

  /** To the account's channels of one viewer. */
  private deliver(
    { subscribers }: Viewer,
    event: StreamEvent,
    frames: EventFrames,
    make: () => StreamFrame | undefined,
  ): void {
    const { services } = this.options;
    const frame = this.orGap(frames, make);
    if (frame === undefined) return;
    for (const subscriber of subscribers) {
      if (subscriber.replay !== undefined) continue;
      const own = this.orGap(frames, () => (subscriber.shouldReceive(event, services) ? frame : undefined));
      if (own !== undefined) subscriber.connection.deliver(subscriber, own);
    }
  }

  /** Who needs something that cannot be read, such as a damaged record, gets a gap; all others get the event. */
  private orGap(frames: EventFrames, make: () => StreamFrame | undefined): StreamFrame | undefined {
    try {
      return make();
    } catch (error) {
      this.options.services.report({ level: 'error', message: 'a stream misses an event', error });
      return frames.gap();
    }
  }
}

/** The frames of one event: recipients who see the same share one frame, which is encoded once. */
class EventFrames {
  private readonly event: StreamEvent;
  private readonly payloads: EventPayloads;
  private readonly idsOf: () => FrameIds;
  private readonly frames = new Map<Payload, StreamFrame>();
  private ids: FrameIds | undefined;

  constructor(event: StreamEvent, payloads: EventPayloads, idsOf: () => FrameIds) {
    this.event = event;
    this.payloads = payloads;
    this.idsOf = idsOf;
  }

  inPublic(): StreamFrame | undefined {
    return this.frameOf(this.payloads.inPublic());
  }

  of(viewerId: Id): StreamFrame | undefined {
    return this.frameOf(this.payloads.of(viewerId));
  }

  /** For a viewer who needs a frame of its own. */
  personal(viewerId: Id): StreamFrame | undefined {
    return this.frameOf(this.payloads.personal(viewerId));
  }

  /** The same for public channels. */
  personalInPublic(viewerId: Id): StreamFrame | undefined {
    return this.frameOf(this.payloads.personalInPublic(viewerId));
  }

  /** In a home because of a tag: without statuses that public channels leave out. */
  byTag(viewerId: Id, isPersonal: boolean): StreamFrame | undefined {
    const inPublic = this.payloads.inPublic();
    return this.frameOf(isPersonal && inPublic !== undefined ? this.payloads.personal(viewerId) : inPublic);
  }

  watched(subscriber: Subscriber): StreamFrame | undefined {
    return this.frameOf(subscriber.watchedPayload(this.event, this.payloads));
  }

  /** In place of a frame that cannot be made. */
  gap(): StreamFrame {
    this.ids ??= this.idsOf();
    return gapFrame(this.ids);
  }

  private frameOf(payload: Payload | undefined): StreamFrame | undefined {
    if (payload === undefined) return undefined;
    let frame = this.frames.get(payload);
    if (frame === undefined) {
      this.ids ??= this.idsOf();
      frame = new StreamFrame(this.event.name, payload, this.ids, this.event.status?.id);
      this.frames.set(payload, frame);
    }
    return frame;
  }
}
