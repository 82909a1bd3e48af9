/** Somebody of the staff who asks for a page or sends a form. */
import type { AuditMoments } from '../../../actors/audit.records.ts';
import type { AccountCaller } from '../../../operations/caller.ts';
import type { SignedInForm } from '../signed-in-form.ts';
import type { MemberVisit } from '../visit.ts';

/** Operations can be called with it. */
export interface StaffVisit extends MemberVisit {
  /** Of a form: it knows what its page has shown. */
  readonly caller: AccountCaller;
  /** How far the audit log has come where the page is made. Its forms send it: nothing decided since is overwritten. */
  readonly known: AuditMoments;
}

export interface StaffForm extends SignedInForm {
  readonly visit: StaffVisit;
}
