/**
 * The rules of staff for other servers (actors/policy/domains.ts), compiled once for each thread. Events tell which rules
 * have changed: only those are read again, at the next question.
 */
import { cacheables } from '../actors/cacheables.ts';
import {
  allDomainAllows,
  allDomainBlocks,
  federationModeOf,
  findDomainAllow,
  findDomainBlock,
} from '../actors/instance/domains/domains.queries.ts';
import { DomainPolicy } from '../actors/policy/domains.ts';
import type { Reader } from '../runtime/storage/reader.ts';
import type { EventHub } from './event-hub.ts';
import { member } from './members.ts';

interface PolicyServices {
  readonly snapshots: Reader;
  readonly events: Pick<EventHub, 'onInvalidation' | 'onLoss'>;
}

/** Reads all rules. */
export function compilePolicy(snapshots: Reader): DomainPolicy {
  const policy = new DomainPolicy();
  policy.mode = federationModeOf(snapshots);
  for (const block of allDomainBlocks(snapshots)) policy.setRule(block.domain, block);
  for (const { domain } of allDomainAllows(snapshots)) policy.setAllowed(domain, true);
  return policy;
}

class CompiledPolicy {
  private readonly services: PolicyServices;
  private policy: DomainPolicy | undefined;
  /** Domains whose rules have changed since they were read. */
  private readonly changed = new Set<string>();

  constructor(services: PolicyServices) {
    const { events } = services;
    this.services = services;
    events.onInvalidation(cacheables.domainRule, (domain) => this.drop(domain));
    events.onLoss(() => this.drop(undefined));
  }

  get current(): DomainPolicy {
    this.policy ??= this.compile();
    if (this.changed.size > 0) this.readChanged(this.policy);
    return this.policy;
  }

  private drop(domain: string | undefined): void {
    if (domain === undefined) this.policy = undefined;
    else this.changed.add(domain);
  }

  private compile(): DomainPolicy {
    this.changed.clear();
    return compilePolicy(this.services.snapshots);
  }

  private readChanged(policy: DomainPolicy): void {
    const { snapshots } = this.services;
    for (const domain of this.changed) {
      policy.setRule(domain, findDomainBlock(snapshots, domain));
      policy.setAllowed(domain, findDomainAllow(snapshots, domain) !== undefined);
    }
    this.changed.clear();
  }
}

const compiled = member((services: PolicyServices) => new CompiledPolicy(services));

/** Ask for each use: a policy that is kept does not see later changes of the mode. */
export function domainPolicy(services: Parameters<typeof compiled>[0]): DomainPolicy {
  return compiled(services).current;
}
