/** Pages and forms of staff: each demands a permission, and calls operations as the visitor. */
import { auditMoments } from '../../../actors/audit.queries.ts';
import type { AuditMoments } from '../../../actors/audit.records.ts';
import type { AccountCaller } from '../../../operations/caller.ts';
import { demandPermission } from '../../../operations/permissions.ts';
import { asFailure, Failure } from '../../../runtime/errors.ts';
import type { Snapshots } from '../../../runtime/storage/snapshots.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import type { Answer } from '../../http/answers.ts';
import type { RawContext } from '../../http/context.ts';
import type { RawRoute, StaffDemand } from '../../route.ts';
import { memberPage, type PageHandler } from '../page-handler.ts';
import { formRoute } from '../signed-in-form.ts';
import { decidedAnswer, decidedSince } from './decided-meanwhile.ts';
import { isStaff } from './sections.ts';
import type { StaffForm, StaffVisit } from './visitor.ts';

type Context = RawContext<GatewayServices>;

/** Milliseconds in ids have 48 bits; a whole id is no moment. */
const momentMax = 2 ** 48;

/** Others get the page that says that it is not allowed. */
export function staffPage(
  demands: StaffDemand,
  show: (visit: StaffVisit, context: Context) => Answer | Promise<Answer>,
): PageHandler {
  const handler = memberPage((member, context) => {
    const { request, cause, limitsOf } = context;
    const { id: accountId } = member.account;
    const limits = limitsOf(accountId);
    const caller: AccountCaller = {
      ...{ kind: 'account', accountId, limits, cause },
      ...{ asker: request, address: () => request.ip },
    };
    const known = auditMoments(member.services.snapshots);
    const visit: StaffVisit = { ...member, address: withoutDone(member.address), caller, known };
    demandOf(demands, visit);
    return show(visit, context);
  });
  return Object.assign(handler, { demands });
}

/**
 * Handles a form of staff. Whoever comes second gets a page that says who was first, where the form has none of its own.
 * Throws Failure forbidden without the permission.
 */
export function staffForm(
  path: string,
  demands: StaffDemand,
  run: (form: StaffForm, context: Context) => Promise<Answer>,
  options: Parameters<typeof formRoute>[2] = {},
): RawRoute<GatewayServices> {
  const route = formRoute(
    path,
    async (form, context) => {
      const sent = momentsIn(form.fields.get('known'), form.services.snapshots);
      const { snapshots } = form.services;
      const visit: StaffVisit = {
        ...form.visit,
        // A form that is shown again leads where it came from.
        address: form.returnTo,
        caller: sent === undefined ? form.caller : { ...form.caller, known: sent },
        // Pages that are shown now show what others have decided until now.
        get known() {
          return auditMoments(snapshots);
        },
      };
      demandOf(demands, visit);
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
  return { ...route, demands };
}

/** Whoever comes back to the page has not just done what it says. */
function withoutDone(address: string): string {
  const [path = '', query] = address.split('?', 2);
  const kept = query?.split('&').filter((field) => !field.startsWith('done=')) ?? [];
  return kept.length === 0 ? path : `${path}?${kept.join('&')}`;
}

/** What is not of this version, or of other partitions, says of no decision that it was shown. */
function momentsIn(sent: string | undefined, { partitions }: Snapshots): AuditMoments | undefined {
  if (sent === undefined || sent === '') return undefined;
  const moments = sent.split(',').map(Number);
  const isKnown = moments.length === partitions.length && moments.every((one) => one >= 0 && one <= momentMax);
  return isKnown ? moments : partitions.map(() => 0);
}

function demandOf(demand: StaffDemand, visit: StaffVisit): void {
  if (demand === 'any') {
    if (!isStaff(visit)) throw new Failure('forbidden');
    return;
  }
  for (const one of [demand].flat()) demandPermission(one, visit.caller, visit.services);
}
