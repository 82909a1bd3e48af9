/**
 * The keyspaces of the audit log, and how a turn writes to it. Each partition keeps what was decided in it, by time; a
 * read merges the partitions. No turn can change or delete what is there. Numbers 204, 205 and 158.
 */
import { z } from 'zod';
import { present, record } from '../runtime/codec.ts';
import { Failure } from '../runtime/errors.ts';
import type { Id } from '../runtime/ids.ts';
import type { Turn } from '../runtime/partition/turn.ts';
import { hashedString, id, keyspace, uint32 } from '../runtime/storage/keyspace.ts';
import { type Rule, rule } from '../runtime/storage/rules.ts';
import {
  type AuditChange,
  AuditEntry,
  type AuditInput,
  type AuditTarget,
  type AuditValue,
  auditActions,
  type GivenAudit,
} from './audit.records.ts';

const bound = { by: 'owner', reason: 'one for each decision of staff; nothing deletes it' } as const;

export const auditEntries = keyspace<[bigint], AuditEntry>({
  number: 204,
  name: 'audit entries',
  owner: 'instance',
  sharedWith: ['account', 'relay', 'session'],
  partitionWide: true,
  appendOnly: true,
  key: [id('entry')],
  value: record(AuditEntry),
  bound,
});

/** By each of the facets of an entry. */
export const auditIndex = keyspace<[string, bigint], true>({
  number: 205,
  name: 'audit index',
  owner: 'instance',
  sharedWith: ['account', 'relay', 'session'],
  partitionWide: true,
  derived: true,
  appendOnly: true,
  scopeParts: 1,
  key: [hashedString('facet'), id('entry')],
  value: present,
  bound,
});

const LastMoment = z.object({ moment: z.number() });

/** The moment of the last entry of the partition. Entries are read by their ids, which other slots give as well. */
export const lastAuditMoment = keyspace<[number], z.infer<typeof LastMoment>>({
  number: 158,
  name: 'last moment of the audit log',
  owner: 'instance',
  sharedWith: ['account', 'relay', 'session'],
  partitionWide: true,
  absentIfDamaged: true,
  beginsAnewIfDamaged: true,
  key: [uint32('always 0')],
  value: record(LastMoment),
  bound: { by: 'count', entries: 1 },
});

/** What the log can be searched by. */
export type AuditFacet =
  | { readonly by: AuditInput['by']; readonly accountId?: Id | undefined }
  | { readonly action: AuditInput['action'] }
  | { readonly target: AuditTarget; readonly targetId?: string | undefined };

export function nameOfFacet(facet: AuditFacet): string {
  if ('by' in facet) return `by ${facet.by} ${facet.accountId ?? ''}`;
  return 'action' in facet ? `action ${facet.action}` : `target ${facet.target} ${facet.targetId ?? ''}`;
}

function facetsOf({ by, accountId, action, targetId }: AuditEntry): string[] {
  return [{ by, accountId }, { action }, { target: auditActions[action], targetId }].map(nameOfFacet);
}

type AuditTurn = Pick<Turn<never>, 'get' | 'put' | 'range' | 'nextId' | 'now' | 'partition'>;
type Facts = Readonly<Record<string, AuditValue | undefined>>;

interface Decided {
  readonly targetId?: Id | string | undefined;
  readonly name: string;
  /** The state of the target that the action is about; what is equal in both is left out. */
  readonly before?: Facts;
  readonly after?: Facts;
  /** Fields whose values are secret, or too large to be kept. */
  readonly changed?: readonly string[];
}

const charactersMax = 500;

/**
 * Does nothing without an input: then nobody but the owner acted. Throws Failure conflict where somebody else has decided
 * about the target what whoever acts does not know: the turn leaves nothing behind then.
 */
export function recordAudit(turn: AuditTurn, given: GivenAudit | undefined, decided: Decided): void {
  if (given === undefined) return;
  const { known: _ofEarlierVersions, knownMoments, ...input } = given;
  const { targetId, name, before = {}, after = {}, changed = [] } = decided;
  if (knownMoments !== undefined) refuseUnknown(turn, input, knownMoments[turn.partition] ?? 0, targetId);
  const moment = Math.max((turn.get(lastAuditMoment, [0])?.moment ?? 0) + 1, turn.now);
  turn.put(lastAuditMoment, [0], { moment });
  const entry: AuditEntry = {
    ...input,
    at: turn.now,
    ...(targetId !== undefined && { targetId: String(targetId) }),
    name: shortened(name),
    changes: [...changesBetween(before, after), ...changed.map((field) => ({ field }))],
    moment,
  };
  const entryId = turn.nextId();
  turn.put(auditEntries, [entryId], entry);
  for (const facet of facetsOf(entry)) turn.put(auditIndex, [facet, entryId], true);
}

/** Notes and tests take nothing away from anybody. */
const harmless: ReadonlySet<AuditInput['action']> = new Set([
  'addAccountNote',
  'removeAccountNote',
  'addReportNote',
  'removeReportNote',
  'addServerNote',
  'removeServerNote',
  'testWebhook',
]);

/** How many entries about one thing are looked at for one that whoever acts does not know. */
const lookedAtMax = 50;

/** Whoever has decided last himself knows what was decided before; what the server does by itself is no decision. */
function refuseUnknown(
  turn: AuditTurn,
  { action, by, accountId }: AuditInput,
  known: number,
  targetId?: Id | string,
): void {
  const target = auditActions[action];
  if (harmless.has(action) || (targetId === undefined && target !== 'settings')) return;
  const facet = nameOfFacet({ target, targetId: targetId?.toString() });
  for (const { key } of turn.range(auditIndex, [facet], { reverse: true, limit: lookedAtMax })) {
    const entry = turn.get(auditEntries, [key[1]]);
    if (entry === undefined || entry.by === 'server' || harmless.has(entry.action)) continue;
    if (entry.by === by && entry.accountId === accountId) return;
    // Ids of one slot rise as well; those of several actors that decide about one thing may not.
    if ((entry.moment ?? 0) <= known) continue;
    throw new Failure('conflict', { reason: 'decidedMeanwhile', details: { decision: key[1].toString() } });
  }
}

function changesBetween(before: Facts, after: Facts): AuditChange[] {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return fields
    .filter((field) => before[field] !== after[field])
    .map((field) => ({ field, ...sideOf('before', before[field]), ...sideOf('after', after[field]) }));
}

function sideOf(side: 'before' | 'after', value: AuditValue | undefined): Partial<AuditChange> {
  return value === undefined ? {} : { [side]: typeof value === 'string' ? shortened(value) : value };
}

function shortened(text: string): string {
  return text.length <= charactersMax ? text : `${text.slice(0, charactersMax - 1)}…`;
}

export const auditRules: readonly Rule[] = [
  rule(auditEntries, ([entryId], entry, reader) =>
    facetsOf(entry).every((facet) => reader.get(auditIndex, [facet, entryId]) !== undefined)
      ? undefined
      : 'cannot be found by all of its facets',
  ),
  rule(auditEntries, (_key, { moment = 0 }, reader) =>
    moment <= (reader.get(lastAuditMoment, [0])?.moment ?? 0) ? undefined : 'is later than the last of its partition',
  ),
  rule(auditIndex, ([, entryId], _present, reader) =>
    reader.get(auditEntries, [entryId]) === undefined ? 'leads to an entry that is not there' : undefined,
  ),
];
