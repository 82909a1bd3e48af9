/**
 * Rules for other servers as files: what a rule would sever is shown before it is made, and lists are exported and imported in
 * the form of Mastodon (behaviour of its pages).
 */
import { z } from 'zod';
import {
  allDomainAllows,
  allDomainBlocks,
  findDomainAllow,
  findDomainBlock,
} from '../../actors/instance/domains/domains.queries.ts';
import type { DomainBlock } from '../../actors/instance/domains/domains.records.ts';
import { Instance, instanceKey } from '../../actors/instance/instance.messages.ts';
import { instanceLimits } from '../../actors/instance/limits.ts';
import {
  type ListedDomain,
  type ListedRow,
  readDomainList,
  writeDomainAllows,
  writeDomainBlocks,
} from '../../actors/policy/domain-lists.ts';
import { Failure, validationFailure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import { compilePolicy } from '../../services/domain-policy.ts';
import type { Services } from '../../services/services.ts';
import { knowingAll, reads } from '../audit.ts';
import { flowOf } from '../caller.ts';
import { type OperationContext, operation } from '../operation.ts';
import { otherDomain } from './domain-names.ts';
import { amongDomains, type ConcernedAs, type Severed, severedFollows } from './severed-follows.ts';

export const domainListLimits = { rowsMax: 20_000, charactersMax: 4_000_000 } as const;
const importedAtOnce = 20;
const checkedPerSlice = 200;
const affectedListedMax = 100;

export interface SeveredPreview extends Severed {
  /** Accounts here that lose most. */
  readonly affected: readonly { readonly accountId: Id; readonly followers: number; readonly following: number }[];
  readonly affectedCount: number;
  /** False where there is more than could be counted. */
  readonly isWhole: boolean;
}

export interface DomainPreview extends SeveredPreview {
  readonly domain: string;
}

/** What a suspension of a domain and its subdomains would end. */
export const previewDomainBlock = operation({
  input: z.object({ domain: z.string() }),
  permission: 'manageFederation',
  audit: reads,
  /** Throws Failure validation for what is no domain. */
  async run({ services }, { domain: typed }): Promise<DomainPreview> {
    const domain = otherDomain(services, typed);
    return { domain, ...(await previewOf(services, amongDomains(new Set([domain])))) };
  },
});

/** What an allow-list would end that came into force now: the follows of all servers that are not on it. */
export const previewAllowList = operation({
  input: z.object({}),
  permission: 'manageFederation',
  audit: reads,
  run({ services }): Promise<SeveredPreview> {
    const policy = compilePolicy(services.snapshots);
    policy.mode = 'allow-list';
    const isEnded = (host: string, actorHost: string | undefined) =>
      policy.ofAccount(host, actorHost).severity === 'suspend' ? 'not allowed' : undefined;
    return previewOf(services, isEnded);
  },
});

async function previewOf(services: Services, concernedAs: ConcernedAs): Promise<SeveredPreview> {
  const { byDomain, byAccount, isWhole } = await services.slices.run(severedFollows(services, concernedAs));
  const severed = { accounts: 0, followers: 0, following: 0 };
  for (const { accounts, followers, following } of byDomain.values()) {
    severed.accounts += accounts;
    severed.followers += followers;
    severed.following += following;
  }
  const affected = [...byAccount]
    .map(([accountId, lost]) => ({ accountId, ...lost }))
    .sort((one, other) => other.followers + other.following - one.followers - one.following)
    .slice(0, affectedListedMax);
  return { ...severed, affected, affectedCount: byAccount.size, isWhole };
}

/** What says nothing to others is left out, and so are private comments. */
export const exportDomainBlocks = operation({
  input: z.object({}),
  permission: 'manageFederation',
  audit: reads,
  run({ services }): string {
    const isExported = ({ severity, rejectMedia }: DomainBlock) => severity !== 'noop' || rejectMedia;
    const rules = [...allDomainBlocks(services.snapshots)].filter(isExported);
    return writeDomainBlocks(rules.sort((one, other) => (one.domain < other.domain ? -1 : 1)));
  },
});

export const exportDomainAllows = operation({
  input: z.object({}),
  permission: 'manageFederation',
  audit: reads,
  run: ({ services }): string =>
    writeDomainAllows([...allDomainAllows(services.snapshots)].map(({ domain }) => domain).sort()),
});

/** `known`: it has a rule, which stays. */
export type ImportOutcome = 'imported' | 'known' | 'invalid';

export interface ImportedRow extends Pick<ListedRow, 'line' | 'domain'> {
  readonly outcome: ImportOutcome;
  /** What its rule severs; absent where nobody of it is known. */
  readonly severed?: Severed;
}

export interface DomainImport {
  readonly rows: readonly ImportedRow[];
  readonly isDryRun: boolean;
}

const input = z.object({
  csv: z.string().max(domainListLimits.charactersMax),
  /** Of the file, for the private comment. */
  name: z.string().max(200).optional(),
  /** Nothing is changed: the rows say what would happen. */
  isDryRun: z.boolean().optional(),
});

/** Rows that cannot be read are left out, and so are domains that have a rule. */
export const importDomainBlocks = operation({
  input,
  permission: 'manageFederation',
  audit: 'importDomainBlock',
  /** Throws Failure validation for a list that is too long. */
  async run(context, { csv, name = 'a file', isDryRun = false }): Promise<DomainImport> {
    const { services } = context;
    const day = new Date(services.now()).toISOString().slice(0, 10);
    const isKnown = (domain: string) => findDomainBlock(services.snapshots, domain) !== undefined;
    const rows = await services.slices.run(checkedRows(context, csv, isKnown));
    const suspended = rows.flatMap(({ outcome, listed }) =>
      outcome === 'imported' && listed?.severity === 'suspend' ? listed.domain : [],
    );
    const { byDomain } = await services.slices.run(severedFollows(services, amongDomains(new Set(suspended))));
    const privateComment = `Imported from ${name} on ${day}`;
    if (!isDryRun)
      await importEach(rows, async ({ publicComment, ...rule }) => {
        const comments = { ...(publicComment !== '' && { publicComment }), privateComment };
        const { caller } = context;
        const audit = knowingAll(context.audit);
        await services.client.call(
          Instance.blockDomain.to(instanceKey, { ...rule, ...comments, audit }),
          flowOf(caller),
        );
      });
    return { isDryRun, rows: rows.map((row) => shown(row, byDomain.get(row.domain))) };
  },
});

export const importDomainAllows = operation({
  input,
  permission: 'manageFederation',
  audit: 'importDomainAllow',
  /** Throws Failure validation for a list that is too long. */
  async run(context, { csv, isDryRun = false }): Promise<DomainImport> {
    const { services, caller } = context;
    const audit = knowingAll(context.audit);
    const isKnown = (domain: string) => findDomainAllow(services.snapshots, domain) !== undefined;
    const rows = await services.slices.run(checkedRows(context, csv, isKnown));
    if (!isDryRun)
      await importEach(rows, async ({ domain }) => {
        await services.client.call(Instance.allowDomain.to(instanceKey, { domain, audit }), flowOf(caller));
      });
    return { isDryRun, rows: rows.map((row) => shown(row, undefined)) };
  },
});

interface CheckedRow extends ListedRow {
  readonly outcome: ImportOutcome;
}

function* checkedRows(
  { services }: OperationContext,
  csv: string,
  isKnown: (domain: string) => boolean,
): Generator<undefined, CheckedRow[]> {
  const { rowsMax } = domainListLimits;
  const rows = readDomainList(csv, rowsMax);
  if (rows.length > rowsMax) throw validationFailure(`A list has at most ${rowsMax} rows`);
  const seen = new Set<string>();
  const checked: CheckedRow[] = [];
  for (const [index, row] of rows.entries()) {
    if (index % checkedPerSlice === checkedPerSlice - 1) yield;
    const domain = row.listed && domainOf(services, row.listed);
    if (row.listed === undefined || domain === undefined) {
      checked.push({ ...row, listed: undefined, outcome: 'invalid' });
      continue;
    }
    const outcome = seen.has(domain) || isKnown(domain) ? 'known' : 'imported';
    seen.add(domain);
    checked.push({ ...row, domain, listed: { ...row.listed, domain }, outcome });
  }
  return checked;
}

/** In normal form; undefined for what is no other server, or says more than there is room for. */
function domainOf(services: OperationContext['services'], { domain, publicComment }: ListedDomain): string | undefined {
  if (publicComment.length > instanceLimits.domainCommentCharactersMax) return undefined;
  try {
    return otherDomain(services, domain);
  } catch (error) {
    if (error instanceof Failure && error.code === 'validation') return undefined;
    throw error;
  }
}

/** Some at a time. */
async function importEach(rows: readonly CheckedRow[], make: (listed: ListedDomain) => Promise<void>): Promise<void> {
  const wanted = rows.flatMap(({ listed, outcome }) => (listed !== undefined && outcome === 'imported' ? listed : []));
  for (let first = 0; first < wanted.length; first += importedAtOnce)
    await Promise.all(wanted.slice(first, first + importedAtOnce).map(make));
}

function shown({ line, domain, outcome }: CheckedRow, severed: Severed | undefined): ImportedRow {
  return { line, domain, outcome, ...(severed !== undefined && { severed }) };
}
