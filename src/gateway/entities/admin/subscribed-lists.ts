/** The entities of subscribed lists of domains, our own: Admin::DomainList, its domains, and what a list would change. */
import { z } from 'zod';
import {
  type DomainListSubscription,
  type ListedDomain,
  listProblems,
} from '../../../actors/instance/domain-lists/domain-lists.records.ts';
import { domainSeverities, federationModes } from '../../../actors/policy/domains.ts';
import { type ListedContent, listedStates, listForms, listModes } from '../../../actors/policy/listed-domains.ts';
import type { ExplainedDomain } from '../../../operations/domain-lists/explain-domain.ts';
import { type TriedList, triedOutcomes } from '../../../services/domain-lists.ts';
import { count, flag, id, text, time, timestamp } from '../values.ts';
import { AdminDomainBlockEntity, adminDomainBlockEntity } from './domains.ts';

const Changes = z.strictObject({ added: count, changed: count, removed: count, suggested: count });

export const AdminDomainListEntity = z
  .strictObject({
    id,
    title: text,
    url: text,
    format: z.enum(listForms),
    mode: z.enum(listModes),
    max_severity: z.enum(domainSeverities),
    follow_retractions: flag,
    obfuscate: flag,
    public_comments: flag,
    /** A suspension that ends more follows is suggested instead of applied. */
    max_severed_follows: count,
    interval_hours: count,
    created_at: time,
    /** A reading is under way. */
    reading: flag,
    last_read_at: time.nullable(),
    next_read_at: time,
    /** Of the last good reading: domains, and rows that name none. */
    domains_count: count,
    unreadable_count: count,
    in_force_count: count,
    suggestions_count: count,
    last_changed_at: time.nullable(),
    last_changes: Changes.nullable(),
    /** Why nothing was changed since the last good reading. */
    problem: z.enum(listProblems).nullable(),
    problem_detail: text.nullable(),
    failures_count: count,
  })
  .meta({ id: 'Admin.DomainList' });

export function adminDomainListEntity(list: DomainListSubscription): z.output<typeof AdminDomainListEntity> {
  const optionalTime = (at: number | undefined) => (at === undefined ? null : timestamp(at));
  return {
    id: list.id.toString(),
    title: list.title,
    url: list.url,
    format: list.form,
    mode: list.mode,
    max_severity: list.severityMax,
    follow_retractions: list.followsRetractions,
    obfuscate: list.obfuscates,
    public_comments: list.takesComments,
    max_severed_follows: list.followsMax,
    interval_hours: list.hours,
    created_at: timestamp(list.createdAt),
    reading: list.reading !== undefined,
    last_read_at: optionalTime(list.readAt),
    next_read_at: timestamp(list.dueAt),
    domains_count: list.rows,
    unreadable_count: list.unreadable,
    in_force_count: list.inForce,
    suggestions_count: list.suggested,
    last_changed_at: optionalTime(list.changedAt),
    last_changes: list.changes ?? null,
    problem: list.problem?.kind ?? null,
    problem_detail: list.problem?.detail ?? null,
    failures_count: list.failures,
  };
}

const Content = z.strictObject({
  severity: z.enum(domainSeverities),
  reject_media: flag,
  reject_reports: flag,
  obfuscate: flag,
  public_comment: text.nullable(),
});

function contentEntity(content: ListedContent): z.output<typeof Content> {
  return {
    severity: content.severity,
    reject_media: content.rejectMedia,
    reject_reports: content.rejectReports,
    obfuscate: content.obfuscate,
    public_comment: content.publicComment ?? null,
  };
}

export const AdminListedDomainEntity = z
  .strictObject({
    domain: text,
    state: z.enum(listedStates),
    /** What the list says, or said last. */
    listed: Content,
    /** The list does not name it any more. */
    gone: flag,
    /** What it has brought about. */
    in_force: Content.nullable(),
    listed_since: time,
    changed_at: time,
    /** Follows that its suspension would end. */
    severed_follows_count: count,
  })
  .meta({ id: 'Admin.ListedDomain' });

export function adminListedDomainEntity(entry: ListedDomain): z.output<typeof AdminListedDomainEntity> {
  return {
    domain: entry.domain,
    state: entry.state,
    listed: contentEntity(entry.listed),
    gone: entry.isGone === true,
    in_force: entry.inForce === undefined ? null : contentEntity(entry.inForce),
    listed_since: timestamp(entry.since),
    changed_at: timestamp(entry.changedAt),
    severed_follows_count: entry.follows ?? 0,
  };
}

const Outcomes = z.strictObject({ begins: count, changes: count, ends: count, suggested: count, nothing: count });

export const AdminTriedListEntity = z
  .strictObject({
    problem: z.enum(listProblems).nullable(),
    problem_detail: text.nullable(),
    domains_count: count,
    unreadable_count: count,
    counts: Outcomes,
    /** Those that make a difference first, up to 500. */
    rows: z.array(
      z.strictObject({
        domain: text,
        outcome: z.enum(triedOutcomes),
        state: z.enum(listedStates).nullable(),
        /** Null where the list does not name it any more. */
        listed: Content.nullable(),
        severed_follows_count: count,
      }),
    ),
  })
  .meta({ id: 'Admin.TriedDomainList' });

export function adminTriedListEntity(tried: TriedList): z.output<typeof AdminTriedListEntity> {
  return {
    problem: tried.problem ?? null,
    problem_detail: tried.problem === undefined ? null : tried.detail,
    domains_count: tried.domains,
    unreadable_count: tried.unreadable,
    counts: tried.counts,
    rows: tried.rows.map(({ domain, outcome, state, listed, follows }) => ({
      domain,
      outcome,
      state: state ?? null,
      listed: listed === undefined ? null : contentEntity(listed),
      severed_follows_count: follows,
    })),
  };
}

export const AdminDomainReasonEntity = z
  .strictObject({
    domain: text,
    federation_mode: z.enum(federationModes),
    /** Its own, or that of a domain above it. */
    rule: AdminDomainBlockEntity.nullable(),
    /** Who made the rule. */
    made_by: z.enum(['staff', 'lists']).nullable(),
    /** The domain that staff have allowed: it, or one above it. */
    allowed: text.nullable(),
    lists: z.array(z.strictObject({ list: AdminDomainListEntity, domain: AdminListedDomainEntity })),
  })
  .meta({ id: 'Admin.DomainReason' });

export function adminDomainReasonEntity(explained: ExplainedDomain): z.output<typeof AdminDomainReasonEntity> {
  const { domain, mode, rule, allow, lists } = explained;
  const madeBy = rule?.isOfLists === true ? 'lists' : 'staff';
  return {
    domain,
    federation_mode: mode,
    rule: rule === undefined ? null : adminDomainBlockEntity(rule),
    made_by: rule === undefined ? null : madeBy,
    allowed: allow?.domain ?? null,
    lists: lists.map(({ list, entry }) => ({
      list: adminDomainListEntity(list),
      domain: adminListedDomainEntity(entry),
    })),
  };
}
