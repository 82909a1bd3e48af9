/** What subscribed lists say of domains, and what staff decide about it. */
import { z } from 'zod';
import { domainsOfList, findDomainList } from '../../actors/instance/domain-lists/domain-lists.queries.ts';
import type { ListedDomain } from '../../actors/instance/domain-lists/domain-lists.records.ts';
import { Instance, instanceKey } from '../../actors/instance/instance.messages.ts';
import { instanceLimits } from '../../actors/instance/limits.ts';
import { listedStates } from '../../actors/policy/listed-domains.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import { type Audited, knowingAll, reads } from '../audit.ts';
import { flowOf } from '../caller.ts';
import { type OperationContext, operation } from '../operation.ts';

export const listedDomainsMax = 200;
const rowsPerSlice = 500;

const which = z.object({ listId: z.coerce.bigint(), state: z.enum(listedStates).optional() });

/** By their names, those after one. */
export const listListedDomains = operation({
  input: which.extend({ limit: z.int().min(1).max(listedDomainsMax), after: z.string().optional() }),
  permission: 'manageFederation',
  audit: reads,
  async run({ services }, { limit, after = '', ...wanted }): Promise<readonly ListedDomain[]> {
    const found = await services.slices.run(listed(services, wanted));
    const later = found.filter(({ domain }) => domain > after);
    return later.sort((one, other) => (one.domain < other.domain ? -1 : 1)).slice(0, limit);
  },
});

/** Some of the suggestions of a list, or all. */
const chosen = z.object({
  listId: z.coerce.bigint(),
  domains: z.array(z.string()).max(instanceLimits.domainListRowsMax).optional(),
  all: z.boolean().optional(),
});

export interface Decided {
  /** Domains about which nothing was suggested are left out. */
  readonly decided: number;
}

/** Also what was refused before, where its domain is named. */
export const acceptListedDomains = operation({
  input: chosen,
  permission: 'manageFederation',
  audit: 'acceptDomainSuggestion',
  run: (context, given): Promise<Decided> => decide(context, given, true),
});

/** It is suggested again when the list says something else of the domain. */
export const refuseListedDomains = operation({
  input: chosen,
  permission: 'manageFederation',
  audit: 'refuseDomainSuggestion',
  run: (context, given): Promise<Decided> => decide(context, given, false),
});

async function decide(
  { caller, services, audit }: OperationContext & Audited,
  { listId, domains = [], all = false }: z.output<typeof chosen>,
  isAccepted: boolean,
): Promise<Decided> {
  const named = all
    ? (await services.slices.run(listed(services, { listId, state: 'suggested' }))).map(({ domain }) => domain)
    : domains.map((domain) => domain.trim().toLowerCase());
  demandList(services, listId);
  const { domainListRowsPerTurn: atOnce } = instanceLimits;
  const written = knowingAll(audit);
  let decided = 0;
  for (let first = 0; first < named.length; first += atOnce) {
    const some = named.slice(first, first + atOnce);
    const message = Instance.decideListedDomains.to(instanceKey, { listId, domains: some, isAccepted, audit: written });
    decided += (await services.client.call(message, flowOf(caller))).decided;
  }
  return { decided };
}

function* listed(
  services: Pick<Services, 'snapshots'>,
  { listId, state }: z.output<typeof which>,
): Generator<undefined, ListedDomain[]> {
  demandList(services, listId);
  const found: ListedDomain[] = [];
  let examined = 0;
  for (const entry of domainsOfList(services.snapshots, listId)) {
    examined += 1;
    if (examined % rowsPerSlice === 0) yield;
    if (state === undefined || entry.state === state) found.push(entry);
  }
  return found;
}

function demandList({ snapshots }: Pick<Services, 'snapshots'>, listId: Id): void {
  if (findDomainList(snapshots, listId) === undefined) throw new Failure('notFound');
}
