/** Records of subscriptions to lists of domains that others publish. Times are milliseconds since 1970. */
import { z } from 'zod';
import { identifier } from '../../account/account.records.ts';
import { AuditInput } from '../../audit.records.ts';
import { domainSeverities } from '../../policy/domains.ts';
import { listedStates, listForms, listModes } from '../../policy/listed-domains.ts';

const Severity = z.enum(domainSeverities);

/** What staff decide about a subscription; the terms are those of ListTerms. */
export const DomainListSettings = z.object({
  title: z.string(),
  url: z.string(),
  form: z.enum(listForms),
  mode: z.enum(listModes),
  severityMax: Severity,
  followsRetractions: z.boolean(),
  obfuscates: z.boolean(),
  takesComments: z.boolean(),
  followsMax: z.number(),
  hours: z.number(),
});
export type DomainListSettings = z.infer<typeof DomainListSettings>;

/** What servers say so that unchanged lists need not be sent again (RFC 9110, section 8.8). */
export const ListValidators = z.object({ etag: z.string().optional(), lastModified: z.string().optional() });
export type ListValidators = z.infer<typeof ListValidators>;

/**
 * Why a list was not read, or not followed: nothing was changed then. `address`: it may not be asked for, or redirects
 * to where this server asks nothing. `page`: HTML. `empty`, `shrunk`: less than half of what it had. `unreadable`: most
 * rows are no domains.
 */
export const listProblems = [
  'unreachable',
  'throttled',
  'refused',
  'notFound',
  'address',
  'invalid',
  'tooLarge',
  'notText',
  'page',
  'empty',
  'shrunk',
  'unreadable',
] as const;
export const ListProblem = z.enum(listProblems);
export type ListProblem = z.infer<typeof ListProblem>;

/** What a reading has changed: rules, and suggestions to staff. */
const ListChanges = z.object({ added: z.number(), changed: z.number(), removed: z.number(), suggested: z.number() });
export type ListChanges = z.infer<typeof ListChanges>;

/** `keep`: the rules that it alone has made become those of staff. `remove`: they end with it. */
export const listEndings = ['keep', 'remove'] as const;
export const ListEnding = z.enum(listEndings);
export type ListEnding = z.infer<typeof ListEnding>;

const DecidingAll = z.object({
  isAccepted: z.boolean(),
  /** What was suggested later was not seen by whoever decided. */
  suggestedUntil: z.number(),
  decided: z.number(),
  /** Where the last slice ended, in the order of the keys. */
  from: z.string().optional(),
  audit: AuditInput.optional(),
});

export const DomainListSubscription = DomainListSettings.extend({
  id: identifier,
  createdAt: z.number(),
  /** Domains that it knows, those for which it has brought something about, and those that staff are to decide about. */
  entries: z.number(),
  inForce: z.number(),
  suggested: z.number(),
  /** When it is read next. A timer of another time does nothing. */
  dueAt: z.number(),
  /** How often a reading has begun. */
  readings: z.number(),
  /** The reading under way. */
  reading: z
    .object({
      startedAt: z.number(),
      changes: ListChanges,
      /** Staff have said that it may have lost most of its rows. */
      mayShrink: z.boolean(),
    })
    .optional(),
  validators: ListValidators.optional(),
  /** Of the last good reading. */
  readAt: z.number().optional(),
  rows: z.number(),
  unreadable: z.number(),
  changes: ListChanges.optional(),
  changedAt: z.number().optional(),
  /** Since the last good reading. */
  failures: z.number(),
  problem: z.object({ kind: ListProblem, detail: z.string(), at: z.number() }).optional(),
  /** It is being removed. */
  ending: ListEnding.optional(),
  /** Staff have decided about all of its suggestions, which follow in slices. */
  deciding: DecidingAll.optional(),
});
export type DomainListSubscription = z.infer<typeof DomainListSubscription>;

const ListedContent = z.object({
  severity: Severity,
  rejectMedia: z.boolean(),
  rejectReports: z.boolean(),
  obfuscate: z.boolean(),
  publicComment: z.string().optional(),
});

/** What one list says of one domain, and what came of it (ListedEntry). */
export const ListedDomain = z.object({
  domain: z.string(),
  listed: ListedContent,
  state: z.enum(listedStates),
  /** Since when the list names it. */
  since: z.number(),
  changedAt: z.number(),
  inForce: ListedContent.optional(),
  isGone: z.boolean().optional(),
  follows: z.number().optional(),
});
export type ListedDomain = z.infer<typeof ListedDomain>;

/** A domain of a list that was read; without `listed`: the list does not name it any more. */
export const ReadRow = z.object({
  domain: z.string(),
  listed: ListedContent.optional(),
  /** Follows that its suspension would end. */
  follows: z.number().optional(),
  /** It is above a domain that staff have allowed. */
  isAboveAllowed: z.boolean().optional(),
});
export type ReadRow = z.infer<typeof ReadRow>;
