/** Records of what staff decide about another server besides its rule. Times are milliseconds since 1970. */
import { z } from 'zod';
import { identifier } from '../../account/account.records.ts';

/** Nothing is delivered to the server until staff restart that. */
export const StoppedServer = z.object({
  domain: z.string(),
  at: z.number(),
  /** The account that decided it; absent for the command line. */
  byId: identifier.optional(),
});
export type StoppedServer = z.infer<typeof StoppedServer>;

/** The position in the accounts of a server: a partition, and the last account examined there. */
export const PurgePosition = z.object({ partition: z.number(), after: identifier.optional() });
export type PurgePosition = z.infer<typeof PurgePosition>;

/** Everything goes that the accounts of a server have left here. */
export const ServerPurge = z.object({
  id: identifier,
  domain: z.string(),
  startedAt: z.number(),
  /** Absent while it goes on. */
  endedAt: z.number().optional(),
  /** Accounts that were told to remove what they have left. */
  accounts: z.number(),
});
export type ServerPurge = z.infer<typeof ServerPurge>;
