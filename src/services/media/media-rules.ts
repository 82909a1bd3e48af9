/**
 * Whether media of other servers are shown here (services/domain-policy.ts). What was encoded with an answer is kept, so
 * changes are told: those of rules for hosts that were asked about since the last one.
 */
import { cacheables } from '../../actors/cacheables.ts';
import { firstOf } from '../../actors/policy/domains.ts';
import { domainPolicy } from '../domain-policy.ts';
import { member } from '../members.ts';

type RuleServices = Parameters<typeof domainPolicy>[0];

/** Hosts, and domains above them. With more of them every change is told. */
const askedMax = 50_000;

class MediaRules {
  private readonly services: RuleServices;
  private readonly asked = new Set<string>();
  private hasForgotten = false;
  private readonly listeners: (() => void)[] = [];

  constructor(services: RuleServices) {
    this.services = services;
    services.events.onInvalidation(cacheables.domainRule, (domain) => this.changed(domain));
  }

  /** Whether staff want no media of this host[:port] to be shown. `isBeside`: files of a server of another name lie there. */
  rejects(host: string, isBeside: boolean): boolean {
    if (!this.asked.has(host)) this.note(host);
    return domainPolicy(this.services).rejectsMedia(host, isBeside);
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  private note(host: string): void {
    firstOf(host, (domain) => void this.asked.add(domain));
    if (this.asked.size <= askedMax) return;
    this.asked.clear();
    this.hasForgotten = true;
  }

  /** Undefined for the mode of federation. */
  private changed(domain: string | undefined): void {
    if (domain !== undefined && !this.hasForgotten && !this.asked.has(domain)) return;
    this.asked.clear();
    this.hasForgotten = false;
    for (const listener of this.listeners) listener();
  }
}

export const mediaRules = member((services: RuleServices) => new MediaRules(services));
export type { MediaRules };
