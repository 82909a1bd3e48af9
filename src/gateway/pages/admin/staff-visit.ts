/** Pages and forms of staff: each demands a permission, and calls operations as the visitor. */
import type { AccountCaller } from '../../../operations/caller.ts';
import { demandPermission, type StaffPermission } from '../../../operations/permissions.ts';
import { Failure } from '../../../runtime/errors.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import type { Answer } from '../../http/answers.ts';
import type { RawContext } from '../../http/context.ts';
import type { RawRoute } from '../../route.ts';
import { memberPage } from '../page-handler.ts';
import { formRoute, type SignedInForm } from '../signed-in-form.ts';
import type { MemberVisit } from '../visit.ts';
import { isStaff } from './sections.ts';

type Context = RawContext<GatewayServices>;

/** Operations can be called with it. */
export interface StaffVisit extends MemberVisit {
  readonly caller: AccountCaller;
}

export interface StaffForm extends SignedInForm {
  readonly visit: StaffVisit;
}

/** `any`: whoever may enter a section. */
type Demand = StaffPermission | 'any';

/** Others get the page that says that it is not allowed. */
export function staffPage(demand: Demand, show: (visit: StaffVisit, context: Context) => Answer | Promise<Answer>) {
  return memberPage((member, context) => {
    const { request, cause, limitsOf } = context;
    const { id: accountId } = member.account;
    const limits = limitsOf(accountId);
    const caller: AccountCaller = {
      ...{ kind: 'account', accountId, limits, cause },
      ...{ asker: request, address: () => request.ip },
    };
    const visit: StaffVisit = { ...member, caller };
    demandOf(demand, visit);
    return show(visit, context);
  });
}

/** Handles a form of staff. Throws Failure forbidden without the permission. */
export function staffForm(
  path: string,
  demand: Demand,
  run: (form: StaffForm, context: Context) => Promise<Answer>,
  options: Parameters<typeof formRoute>[2] = {},
): RawRoute<GatewayServices> {
  return formRoute(
    path,
    (form, context) => {
      const visit: StaffVisit = { ...form.visit, caller: form.caller };
      demandOf(demand, visit);
      return run({ ...form, visit }, context);
    },
    options,
  );
}

function demandOf(demand: Demand, visit: StaffVisit): void {
  if (demand !== 'any') demandPermission(demand, visit.caller, visit.services);
  else if (!isStaff(visit)) throw new Failure('forbidden');
}
