/** To which hosts staff have stopped deliveries: read once for each thread, and kept as they decide. */
import { cacheables } from '../../actors/cacheables.ts';
import { type DeliveryDecision, deliveryDecided } from '../../actors/instance/servers/servers.events.ts';
import { allStoppedServers } from '../../actors/instance/servers/servers.queries.ts';
import { firstOf } from '../../actors/policy/domains.ts';
import type { Lanes } from '../../outbound/lanes/lanes.ts';
import { isEvent } from '../../runtime/events/event.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import { domainPolicy } from '../../services/domain-policy.ts';
import type { EventHub } from '../../services/event-hub.ts';
import { type Members, member } from '../../services/members.ts';

interface StoppedServices {
  readonly snapshots: Reader;
  readonly events: Pick<EventHub, 'subscribe' | 'onLoss' | 'onInvalidation'>;
  readonly members: Members;
}

class StoppedHosts {
  private readonly services: StoppedServices;
  private stopped: Set<string> | undefined;
  private readonly followers: Lanes[] = [];

  constructor(services: StoppedServices) {
    const { events } = services;
    this.services = services;
    // Its policy drops what has changed before lanes are told.
    domainPolicy(services);
    events.onInvalidation(cacheables.domainRule, () => {
      if (this.all.size > 0) this.tellAnew();
    });
    events.onLoss(() => {
      this.stopped = undefined;
      this.tellAnew();
    });
    events.subscribe((batch) => {
      for (const event of batch.events)
        if (isEvent(event, deliveryDecided)) this.decided(event.body.domain, event.body.decision);
    });
  }

  /** What waits for a suspended host is dropped, and holds up nothing. */
  holds(host: string): boolean {
    return this.all.size > 0 && this.isConcerned(host) && !domainPolicy(this.services).isSuspended(host);
  }

  /** The lanes are told of every decision from now on. */
  follow(lanes: Lanes): void {
    this.followers.push(lanes);
  }

  private get all(): Set<string> {
    this.stopped ??= new Set(Array.from(allStoppedServers(this.services.snapshots), ({ domain }) => domain));
    return this.stopped;
  }

  private isConcerned(host: string): boolean {
    return firstOf(host, (domain) => this.all.has(domain) || undefined) === true;
  }

  private decided(domain: string, decision: DeliveryDecision): void {
    if (decision === 'stopped') this.all.add(domain);
    if (decision === 'restarted') this.all.delete(domain);
    const isBelow = (host: string) => firstOf(host, (one) => one === domain || undefined) === true;
    for (const lanes of this.followers) lanes.decided(domain, isBelow, decision);
  }

  private tellAnew(): void {
    for (const lanes of this.followers) lanes.heldAnew();
  }
}

export const stoppedHosts = member((services: StoppedServices) => new StoppedHosts(services));
