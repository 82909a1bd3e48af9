/** Somebody of the staff who asks for a page or sends a form. */
import type { AuditMoments } from '../../../actors/audit.records.ts';
import type { AccountCaller } from '../../../operations/caller.ts';
import type { SignedInForm } from '../signed-in-form.ts';
import type { MemberVisit } from '../visit.ts';

/** Operations can be called with it. */
export interface StaffVisit extends MemberVisit {
  readonly caller: AccountCaller;
  /** How far the audit log had come when the page was made. Its forms send it: nothing decided since is overwritten. */
  readonly known: AuditMoments;
}

export interface StaffForm extends SignedInForm {
  readonly visit: StaffVisit;
}
