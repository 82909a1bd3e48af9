/** Somebody of the staff who asks for a page or sends a form. */
import type { AccountCaller } from '../../../operations/caller.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { SignedInForm } from '../signed-in-form.ts';
import type { MemberVisit } from '../visit.ts';

/** Operations can be called with it. */
export interface StaffVisit extends MemberVisit {
  readonly caller: AccountCaller;
  /** The newest decision when the page was made. Its forms send it: what was decided since is not overwritten. */
  readonly known: Id;
}

export interface StaffForm extends SignedInForm {
  readonly visit: StaffVisit;
}
