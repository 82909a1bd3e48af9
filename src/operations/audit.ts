/** What an operation of staff writes to the audit log: declared with it, and carried by its messages to the actor. */
import type { AuditAction, AuditInput } from '../actors/audit.records.ts';
import type { Caller } from './caller.ts';

/** An action that is written, in the commit of what it does; or why there is nothing to write. */
export type AuditDeclaration = AuditAction | { readonly nothing: string };

/** For operations that change nothing. */
export const reads = { nothing: 'it only reads' } as const satisfies AuditDeclaration;

/** Added to the context of operations that declare an action: `run` gives it to the message that does it. */
export interface Audited {
  readonly audit: AuditInput;
}

export function auditOf(declared: AuditDeclaration | undefined, caller: Caller): AuditInput | undefined {
  if (typeof declared !== 'string') return undefined;
  const { accountId, address } = caller;
  if (accountId === undefined) return { action: declared, by: 'commandLine' };
  return { action: declared, by: 'account', accountId, ...(address !== undefined && { address: address() }) };
}
