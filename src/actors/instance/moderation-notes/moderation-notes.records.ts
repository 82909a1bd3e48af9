/** What moderators write down for each other about an account, a report or another server. */
import { z } from 'zod';
import { identifier } from '../../account/account.records.ts';

/** What notes are about. Names are stored in digests: append-only. */
const notedKinds = ['account', 'report', 'server'] as const;
export type NotedKind = (typeof notedKinds)[number];

/** `id`: digits, or the domain of a server. */
export const Noted = z.object({ kind: z.enum(notedKinds), id: z.string() });
export type Noted = z.infer<typeof Noted>;

/** Times are milliseconds since 1970. */
export const ModerationNote = z.object({
  text: z.string(),
  at: z.number(),
  /** The account that wrote it; absent for the command line. */
  byId: identifier.optional(),
});
export type ModerationNote = z.infer<typeof ModerationNote>;
