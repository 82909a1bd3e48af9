/** What is kept of a report (specification 2.8, 4.10). Times are milliseconds since 1970. */
import { z } from 'zod';
import { identifier } from '../account.records.ts';

export const reportCategories = ['spam', 'legal', 'violation', 'other'] as const;

export const Report = z.object({
  id: identifier,
  /** Who reports; of another server's report the actor that sent it, mostly that of the server itself. */
  accountId: identifier,
  targetId: identifier,
  statusIds: z.array(identifier),
  /** Of the rules of this server. */
  ruleIds: z.array(z.string()),
  category: z.enum(reportCategories),
  comment: z.string(),
  /** Whether the server of the reported account was told. */
  forwarded: z.boolean(),
  createdAt: z.number(),
  /** When staff closed it. */
  resolvedAt: z.number().optional(),
  /** The account of whoever closed it; absent for the operator of the machine. */
  resolvedById: identifier.optional(),
});
export type Report = z.infer<typeof Report>;
