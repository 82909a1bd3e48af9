/** The record of a report (specification 2.8, 4.10). Times are milliseconds since 1970. */
import { z } from 'zod';
import { identifier } from '../account.records.ts';

export const reportCategories = ['spam', 'legal', 'violation', 'other'] as const;

export const Report = z.object({
  id: identifier,
  /** The reporter; for a report of another server the actor that sent it, mostly that server's own actor. */
  accountId: identifier,
  targetId: identifier,
  statusIds: z.array(identifier),
  /** Rules of this server. */
  ruleIds: z.array(z.string()),
  category: z.enum(reportCategories),
  comment: z.string(),
  /** Whether the server of the reported account was informed. */
  forwarded: z.boolean(),
  createdAt: z.number(),
  /** When staff closed it. */
  resolvedAt: z.number().optional(),
  /** The account that closed it; absent where the operator did on the command line. */
  resolvedById: identifier.optional(),
  /** Collections that the reported account curates; absent for none. */
  collectionIds: z.array(identifier).optional(),
  /** The account among the staff that looks after it. */
  assignedToId: identifier.optional(),
  /** When staff last did something about it; absent until then. */
  updatedAt: z.number().optional(),
  /** The strike with which it was closed; absent where there was none. */
  strikeId: identifier.optional(),
});
export type Report = z.infer<typeof Report>;

/** What staff change about a report. Undefined fields stay. */
export const ReportChange = z.object({
  category: z.enum(reportCategories).optional(),
  ruleIds: z.array(z.string()).optional(),
  /** Null: nobody looks after it any more. */
  assignedToId: identifier.nullable().optional(),
  isOpenAgain: z.literal(true).optional(),
});
