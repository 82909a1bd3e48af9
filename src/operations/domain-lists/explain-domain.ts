/** Why a server is treated as it is: the rule that counts for it, who made it, and what subscribed lists say. */
import { z } from 'zod';
import { findDomainList, listsNaming } from '../../actors/instance/domain-lists/domain-lists.queries.ts';
import type { DomainListSubscription, ListedDomain } from '../../actors/instance/domain-lists/domain-lists.records.ts';
import { federationModeOf, findDomainAllow, findDomainBlock } from '../../actors/instance/domains/domains.queries.ts';
import type { DomainAllow, DomainBlock } from '../../actors/instance/domains/domains.records.ts';
import { type FederationMode, firstOf } from '../../actors/policy/domains.ts';
import { otherDomain } from '../administration/domain-names.ts';
import { reads } from '../audit.ts';
import { operation } from '../operation.ts';

export interface NamedByList {
  readonly list: DomainListSubscription;
  readonly entry: ListedDomain;
}

export interface ExplainedDomain {
  readonly domain: string;
  readonly mode: FederationMode;
  /** Its own, or that of a domain above it; by staff unless `isOfLists`. */
  readonly rule: DomainBlock | undefined;
  readonly allow: DomainAllow | undefined;
  /** What lists say of it and of the domains above it, the most specific first. */
  readonly lists: readonly NamedByList[];
}

export const explainDomain = operation({
  input: z.object({ domain: z.string() }),
  permission: 'manageFederation',
  audit: reads,
  /** Throws Failure validation for what is no domain. */
  run({ services }, { domain: typed }): ExplainedDomain {
    const { snapshots } = services;
    const domain = otherDomain(services, typed);
    const lists: NamedByList[] = [];
    firstOf(domain, (name) => {
      for (const { listId, entry } of listsNaming(snapshots, name)) {
        const list = findDomainList(snapshots, listId);
        if (list !== undefined) lists.push({ list, entry });
      }
      return undefined;
    });
    const rule = firstOf(domain, (name) => findDomainBlock(snapshots, name));
    const allow = firstOf(domain, (name) => findDomainAllow(snapshots, name));
    return { domain, mode: federationModeOf(snapshots), rule, allow, lists };
  },
});
