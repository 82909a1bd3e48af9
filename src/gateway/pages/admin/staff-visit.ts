/** Pages and forms of staff: each demands a permission, and calls operations as the visitor. */
import { newestAuditId } from '../../../actors/audit.queries.ts';
import type { AccountCaller } from '../../../operations/caller.ts';
import { demandPermission, type StaffPermission } from '../../../operations/permissions.ts';
import { asFailure, Failure } from '../../../runtime/errors.ts';
import { parseId } from '../../../runtime/ids.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import type { Answer } from '../../http/answers.ts';
import type { RawContext } from '../../http/context.ts';
import type { RawRoute } from '../../route.ts';
import { memberPage } from '../page-handler.ts';
import { formRoute } from '../signed-in-form.ts';
import { decidedAnswer, decidedSince } from './decided-meanwhile.ts';
import { isStaff } from './sections.ts';
import type { StaffForm, StaffVisit } from './visitor.ts';

type Context = RawContext<GatewayServices>;

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
    const visit: StaffVisit = { ...member, caller, known: newestAuditId(member.services.snapshots) };
    demandOf(demand, visit);
    return show(visit, context);
  });
}

/**
 * Handles a form of staff. Whoever comes second gets a page that says who was first, where the form has none of its own.
 * Throws Failure forbidden without the permission.
 */
export function staffForm(
  path: string,
  demand: Demand,
  run: (form: StaffForm, context: Context) => Promise<Answer>,
  options: Parameters<typeof formRoute>[2] = {},
): RawRoute<GatewayServices> {
  return formRoute(
    path,
    async (form, context) => {
      const sent = parseId(form.fields.get('known') ?? '');
      const known = sent ?? newestAuditId(form.services.snapshots);
      const visit: StaffVisit = {
        ...form.visit,
        caller: sent === undefined ? form.caller : { ...form.caller, known },
        known,
      };
      demandOf(demand, visit);
      try {
        return await run({ ...form, visit }, context);
      } catch (error) {
        const decision = decidedSince(visit, asFailure(error), context.pathParameters.id);
        if (decision === undefined) throw error;
        return decidedAnswer(visit, decision, form.returnTo);
      }
    },
    options,
  );
}

function demandOf(demand: Demand, visit: StaffVisit): void {
  if (demand !== 'any') demandPermission(demand, visit.caller, visit.services);
  else if (!isStaff(visit)) throw new Failure('forbidden');
}
