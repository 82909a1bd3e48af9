/** What a list says otherwise than before. In slices (see TimeSlices). */
import { domainsOfList } from '../../actors/instance/domain-lists/domain-lists.queries.ts';
import type { DomainListSubscription, ReadRow } from '../../actors/instance/domain-lists/domain-lists.records.ts';
import { isNewSuspension, listedChange } from '../../actors/instance/domain-lists/listed-domains.queries.ts';
import { allDomainAllows } from '../../actors/instance/domains/domains.queries.ts';
import { firstOf } from '../../actors/policy/domains.ts';
import type { ListedContent } from '../../actors/policy/listed-domains.ts';
import type { Services } from '../../services/services.ts';
import { amongDomains, type SeveredLimits, severedFollows } from '../administration/severed-follows.ts';

type CompareServices = Pick<Services, 'snapshots' | 'now'>;

const rowsPerSlice = 50;
/** Nobody waits for them. */
const limits: SeveredLimits = {
  accountsExaminedMax: 10_000_000,
  followsCountedMax: 10_000_000,
  followsOfOneMax: 100_000,
};

/** What the list said when it was read last. */
export function* storedDomains(
  { snapshots }: CompareServices,
  list: DomainListSubscription,
): Generator<undefined, ReadonlyMap<string, ListedContent>> {
  const domains = new Map<string, ListedContent>();
  let examined = 0;
  for (const { domain, listed, isGone } of domainsOfList(snapshots, list.id)) {
    examined += 1;
    if (examined % rowsPerSlice === 0) yield;
    if (isGone !== true) domains.set(domain, listed);
  }
  return domains;
}

/** What it does not name any more. */
export function* goneRows(
  { snapshots, now }: CompareServices,
  list: DomainListSubscription,
  domains: ReadonlyMap<string, ListedContent>,
): Generator<undefined, ReadRow[]> {
  const gone: ReadRow[] = [];
  let examined = 0;
  for (const { domain } of domainsOfList(snapshots, list.id)) {
    examined += 1;
    if (examined % rowsPerSlice === 0) yield;
    if (!domains.has(domain) && listedChange(snapshots, list, { domain }, now()) !== undefined) gone.push({ domain });
  }
  return gone;
}

/** Domains come before those below them, so that their rules are known. */
export function* changedRows(
  services: CompareServices,
  list: DomainListSubscription,
  domains: ReadonlyMap<string, ListedContent>,
): Generator<undefined, ReadRow[]> {
  const { snapshots, now } = services;
  const aboveAllowed = domainsAboveAllowed(services);
  const changed: ReadRow[] = [];
  let examined = 0;
  for (const [domain, listed] of [...domains].sort(byDepth)) {
    examined += 1;
    if (examined % rowsPerSlice === 0) yield;
    const row = { domain, listed, ...(aboveAllowed.has(domain) && { isAboveAllowed: true }) };
    if (listedChange(snapshots, list, row, now()) !== undefined) changed.push(row);
  }
  const suspended = new Set(changed.filter((row) => isNewSuspension(snapshots, list, row)).map(({ domain }) => domain));
  if (suspended.size === 0) return changed;
  const { byDomain, isWhole } = yield* severedFollows(services, amongDomains(suspended), limits);
  // Staff decide about what could not be counted.
  const least = isWhole ? 0 : list.followsMax + 1;
  return changed.map((row) => {
    if (!suspended.has(row.domain)) return row;
    const { followers = 0, following = 0 } = byDomain.get(row.domain) ?? {};
    return { ...row, follows: Math.max(followers + following, least) };
  });
}

type Row = readonly [string, ListedContent];

function byDepth([one]: Row, [other]: Row): number {
  return one.split('.').length - other.split('.').length || (one < other ? -1 : 1);
}

function domainsAboveAllowed({ snapshots }: CompareServices): ReadonlySet<string> {
  const above = new Set<string>();
  for (const { domain } of allDomainAllows(snapshots))
    firstOf(domain, (name) => {
      above.add(name);
      return undefined;
    });
  return above;
}
