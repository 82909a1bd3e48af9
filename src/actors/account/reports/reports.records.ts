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
});
export type Report = z.infer<typeof Report>;
