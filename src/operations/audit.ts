/** What an operation of staff writes to the audit log: declared with it, and carried by its messages to the actor. */
import { findProfile } from '../actors/account/remote/federation.queries.ts';
import { auditMoments, findAuditEntry } from '../actors/audit.queries.ts';
import type { AuditAction, GivenAudit } from '../actors/audit.records.ts';
import { Failure } from '../runtime/errors.ts';
import { parseId } from '../runtime/ids.ts';
import type { Services } from '../services/services.ts';
import type { Caller } from './caller.ts';

/** An action that is written, in the commit of what it does; or why there is nothing to write. */
export type AuditDeclaration = AuditAction | { readonly nothing: string };

/** For operations that change nothing. */
export const reads = { nothing: 'it only reads' } as const satisfies AuditDeclaration;

/** Added to the context of operations that declare an action: `run` gives it to the message that does it. */
export interface Audited {
  readonly audit: GivenAudit;
}

/** What the caller was not shown is known from the moment at which the operation begins, which reads what it changes. */
export function auditOf(
  declared: AuditDeclaration | undefined,
  { caller, services }: { readonly caller: Caller; readonly services: Pick<Services, 'snapshots'> },
): GivenAudit | undefined {
  if (typeof declared !== 'string') return undefined;
  const { accountId, address, known: knownMoments = auditMoments(services.snapshots) } = caller;
  if (accountId === undefined) return { action: declared, by: 'commandLine', knownMoments };
  return {
    action: declared,
    by: 'account',
    accountId,
    ...(address !== undefined && { address: address() }),
    knownMoments,
  };
}

/** For a message that does what was decided already, or that finds out itself what there is still to decide. */
export function knowingAll({ knownMoments: _known, ...audit }: GivenAudit): GivenAudit {
  return audit;
}

/** For whoever decided second: the same failure, which says who was first, and with what. Any other error as it is. */
export function toldOfDecision({ snapshots }: Pick<Services, 'snapshots'>, error: unknown): unknown {
  if (!(error instanceof Failure) || error.reason !== 'decidedMeanwhile') return error;
  const { code, reason, details = {} } = error;
  const entryId = parseId(String(details.decision));
  const entry = entryId === undefined ? undefined : findAuditEntry(snapshots, entryId);
  if (entry === undefined) return error;
  const by = entry.accountId === undefined ? undefined : findProfile(snapshots, entry.accountId)?.username;
  const who = by ?? 'the command line';
  const text = `Decided already: ${entry.action} by ${who}, at ${new Date(entry.at).toISOString()}`;
  return new Failure(code, { text, reason, details });
}
