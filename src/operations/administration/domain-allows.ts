/** With which servers this one talks: with all that are not suspended, or with those that staff allow. */
import { z } from 'zod';
import { domainAllowsPage, domainAllowWithId, findDomainAllow } from '../../actors/instance/domains/domains.queries.ts';
import type { DomainAllow } from '../../actors/instance/domains/domains.records.ts';
import { FederationModeName } from '../../actors/instance/domains/domains.records.ts';
import { Instance, instanceKey } from '../../actors/instance/instance.messages.ts';
import type { Page } from '../../actors/pages.ts';
import { Failure } from '../../runtime/errors.ts';
import { reads } from '../audit.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { pageInput } from './domain-blocks.ts';
import { noSuchRule, otherDomain } from './domain-names.ts';

/** Repeating changes nothing. */
export const allowDomain = operation({
  input: z.object({ domain: z.string() }),
  permission: 'manageFederation',
  audit: 'allowDomain',
  async run({ caller, services, audit }, { domain: typed }): Promise<DomainAllow> {
    const domain = otherDomain(services, typed);
    return services.client.call(Instance.allowDomain.to(instanceKey, { domain, audit }), flowOf(caller));
  },
});

/** By the name of the domain, or the id. */
export const disallowDomain = operation({
  input: z.object({ domain: z.union([z.string(), z.bigint()]) }),
  permission: 'manageFederation',
  audit: 'disallowDomain',
  async run({ caller, services, audit }, { domain: given }): Promise<DomainAllow> {
    const { snapshots } = services;
    const isId = typeof given === 'bigint';
    const allow = isId ? domainAllowWithId(snapshots, given) : findDomainAllow(snapshots, given.trim().toLowerCase());
    if (allow === undefined) throw isId ? new Failure('notFound') : noSuchRule(given);
    await services.client.call(Instance.disallowDomain.to(instanceKey, { allowId: allow.id, audit }), flowOf(caller));
    return allow;
  },
});

export const showDomainAllow = operation({
  input: z.object({ id: z.bigint() }),
  permission: 'manageFederation',
  audit: reads,
  run({ services }, { id }): DomainAllow {
    const allow = domainAllowWithId(services.snapshots, id);
    if (allow === undefined) throw new Failure('notFound');
    return allow;
  },
});

/** Latest first. */
export const listDomainAllows = operation({
  input: pageInput,
  permission: 'manageFederation',
  audit: reads,
  run: ({ services }, bounds): Page<DomainAllow> => domainAllowsPage(services.snapshots, bounds),
});

export const setFederationMode = operation({
  input: z.object({ mode: FederationModeName }),
  permission: 'manageFederation',
  audit: 'changeFederationMode',
  run: ({ caller, services, audit }, { mode }) =>
    services.client.call(Instance.setFederationMode.to(instanceKey, { mode, audit }), flowOf(caller)),
});
