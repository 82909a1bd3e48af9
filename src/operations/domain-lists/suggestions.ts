/** What subscribed lists say of domains, and what staff decide about it. */
import { z } from 'zod';
import { demandList, domainsOfList } from '../../actors/instance/domain-lists/domain-lists.queries.ts';
import type { ListedDomain } from '../../actors/instance/domain-lists/domain-lists.records.ts';
import { Instance, instanceKey } from '../../actors/instance/instance.messages.ts';
import { instanceLimits } from '../../actors/instance/limits.ts';
import { listedStates } from '../../actors/policy/listed-domains.ts';
import { validationFailure } from '../../runtime/errors.ts';
import type { Services } from '../../services/services.ts';
import { type Audited, knowingAll, reads } from '../audit.ts';
import { flowOf } from '../caller.ts';
import { type OperationContext, operation } from '../operation.ts';

export const listedDomainsMax = 200;
/** Named in one request, which waits until all of them are decided. */
const decidedDomainsMax = 1_000;
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
  domains: z.array(z.string()).optional(),
  all: z.boolean().optional(),
  /** When those were read that all are decided about; now by default. What is suggested later waits for another decision. */
  seenAt: z.number().optional(),
});

export interface Decided {
  /** Domains about which nothing was suggested are left out. */
  readonly decided: number;
  /** Of all: how many follow after the answer, slice by slice. */
  readonly left: number;
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

/** Throws Failure notFound, validation for too many domains, and conflict while all are being decided. */
async function decide(
  { caller, services, audit: known }: OperationContext & Audited,
  { listId, domains = [], all = false, seenAt = services.now() }: z.output<typeof chosen>,
  isAccepted: boolean,
): Promise<Decided> {
  demandList(services.snapshots, listId);
  const audit = knowingAll(known);
  const suggestedUntil = Math.min(seenAt, services.now());
  if (all) {
    const message = Instance.decideAllListed.to(instanceKey, { listId, isAccepted, suggestedUntil, audit });
    return services.client.call(message, flowOf(caller));
  }
  if (domains.length > decidedDomainsMax) throw validationFailure(`Name at most ${decidedDomainsMax} domains`);
  const named = domains.map((domain) => domain.trim().toLowerCase());
  const { domainListRowsPerTurn: atOnce } = instanceLimits;
  let decided = 0;
  for (let first = 0; first < named.length; first += atOnce) {
    const some = named.slice(first, first + atOnce);
    const message = Instance.decideListedDomains.to(instanceKey, { listId, domains: some, isAccepted, audit });
    decided += (await services.client.call(message, flowOf(caller))).decided;
  }
  return { decided, left: 0 };
}

function* listed(
  services: Pick<Services, 'snapshots'>,
  { listId, state }: z.output<typeof which>,
): Generator<undefined, ListedDomain[]> {
  demandList(services.snapshots, listId);
  const found: ListedDomain[] = [];
  let examined = 0;
  for (const entry of domainsOfList(services.snapshots, listId)) {
    examined += 1;
    if (examined % rowsPerSlice === 0) yield;
    if (state === undefined || entry.state === state) found.push(entry);
  }
  return found;
}
