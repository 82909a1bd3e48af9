/** Fetches a list of domains. What is wrong with it is an answer: one that looks damaged is not followed. */
import type { ListValidators } from '../../actors/instance/domain-lists/domain-lists.records.ts';
import { instanceLimits } from '../../actors/instance/limits.ts';
import { firstOf } from '../../actors/policy/domains.ts';
import type { ListedContent, ListForm } from '../../actors/policy/listed-domains.ts';
import { type NamedDomain, readSubscribedList } from '../../actors/policy/subscribed-lists.ts';
import { shorten } from '../../actors/text/shorten.ts';
import { normaliseHost } from '../../federation/webfinger/handle.ts';
import { fetchListText, type ListFailure } from '../../outbound/domain-lists/fetch-list-text.ts';
import type { Fetcher } from '../../outbound/fetcher/fetcher.ts';
import type { NetworkServices } from '../../services/network-services.ts';

export interface WantedList {
  readonly url: string;
  readonly form: ListForm;
  /** Of the version that is here. */
  readonly validators?: ListValidators | undefined;
  /** How many rows it had; it may have lost half of them. */
  readonly rows: number;
  readonly mayShrink: boolean;
}

export interface FetchedList {
  readonly domains: ReadonlyMap<string, ListedContent>;
  /** Those that name no server, and those that are hidden in part. */
  readonly unreadable: number;
  readonly validators: ListValidators;
}

type ListServices = Pick<NetworkServices, 'addresses' | 'options' | 'slices'>;

export async function fetchList(
  services: ListServices,
  fetcher: Fetcher,
  { url, form, validators, rows, mayShrink }: WantedList,
): Promise<FetchedList | ListFailure | 'unchanged'> {
  const { domainListRowsMax: rowsMax } = instanceLimits;
  const found = await fetchListText(fetcher, { url, form, validators });
  if (found === 'unchanged' || 'problem' in found) return found;
  const named = readSubscribedList(form, found.text);
  if (named === undefined) return { problem: 'unreadable', detail: `it is no list in the form ${form}` };
  if (named.length > rowsMax) return { problem: 'tooLarge', detail: `more than ${rowsMax} rows` };
  const read = await services.slices.run(readDomains(services, named));
  const { size } = read.domains;
  if (read.damaged > size) return { problem: 'unreadable', detail: `${read.damaged} of ${named.length} rows` };
  if (size === 0 && !mayShrink) return { problem: 'empty', detail: 'it names no domain' };
  if (size * 2 < rows && !mayShrink) return { problem: 'shrunk', detail: `${size} rows instead of ${rows}` };
  const { domains, hidden, damaged } = read;
  return { domains, unreadable: hidden + damaged, validators: found.validators };
}

const rowsPerSlice = 500;

/** The first row of a domain counts. This server, and the domains above it, are left out. */
function* readDomains(
  { addresses, options }: ListServices,
  named: readonly NamedDomain[],
): Generator<undefined, { domains: Map<string, ListedContent>; hidden: number; damaged: number }> {
  const domains = new Map<string, ListedContent>();
  let [hidden, damaged] = [0, 0];
  const isOwn = (domain: string) =>
    [addresses.domain, addresses.host].some((own) => firstOf(own, (name) => name === domain || undefined));
  for (const [index, { domain: given, content }] of named.entries()) {
    if (index % rowsPerSlice === rowsPerSlice - 1) yield;
    const domain = given.includes('*') ? undefined : normaliseHost(given);
    // A whole top-level domain is a mistake of the list.
    const isServer = domain !== undefined && (/[.:]/.test(domain) || options.federationAllowPrivate);
    if (given.includes('*')) hidden += 1;
    else if (!isServer || content === undefined) damaged += 1;
    else if (!isOwn(domain) && !domains.has(domain)) domains.set(domain, shortened(content));
  }
  return { domains, hidden, damaged };
}

function shortened({ publicComment, ...rule }: ListedContent): ListedContent {
  if (publicComment === undefined) return rule;
  return { ...rule, publicComment: shorten(publicComment, instanceLimits.domainCommentCharactersMax) };
}
