/** The endpoints of appeals, our own: Mastodon has them on its pages only. */
import { z } from 'zod';
import type { AppealedStrike } from '../../../actors/account/moderation/appeals.queries.ts';
import { appealStateNames } from '../../../actors/policy/appeals.ts';
import { approveAppeal, listAppeals, rejectAppeal, showAppeal } from '../../../operations/administration/appeals.ts';
import { Failure } from '../../../runtime/errors.ts';
import { AdminAppealEntity, adminAppealEntity } from '../../entities/admin/appeals.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { type Answer, json } from '../../http/answers.ts';
import type { UserContext } from '../../http/context.ts';
import { choice, id } from '../../http/parameter-types.ts';
import { boundsOf } from '../accounts/answers.ts';
import { answerFilledPage } from '../filled-page.ts';
import { staffEndpoint, staffPageAnswer, staffPageParameters } from './staff-endpoint.ts';

const path = '/api/v1/admin/appeals';
const parameters = z.object({ id });
const reading = { scopes: ['admin:read'] };
const writing = { scopes: ['admin:write'], answer: AdminAppealEntity };

/** Throws Failure notFound where the account is gone. */
function answerOf({ services }: UserContext<GatewayServices>, appealed: AppealedStrike): Answer {
  const entity = adminAppealEntity(appealed, services);
  if (entity === undefined) throw new Failure('notFound');
  return json(entity);
}

const getAppeals = staffEndpoint(listAppeals, {
  ...reading,
  method: 'GET',
  path,
  parameters: z.object({ ...staffPageParameters, state: choice(appealStateNames) }),
  summary: 'Lists appeals against strikes, latest first: those that wait, or those of another state.',
  answer: z.array(AdminAppealEntity),
  handler(context, given) {
    return answerFilledPage(
      boundsOf(given),
      (bounds) => {
        const page = listAppeals(context, { ...bounds, state: given.state });
        return { ...page, items: page.items.flatMap((one) => adminAppealEntity(one, context.services) ?? []) };
      },
      (page) => staffPageAnswer(context.request, page, given.limit, (entity) => entity),
    );
  },
});

const getAppeal = staffEndpoint(showAppeal, {
  ...reading,
  method: 'GET',
  path: `${path}/:id`,
  parameters,
  summary: 'Shows an appeal with the strike that it is against.',
  answer: AdminAppealEntity,
  handler: (context, { id: appealId }) => answerOf(context, showAppeal(context, { appealId })),
});

const approve = staffEndpoint(approveAppeal, {
  ...writing,
  method: 'POST',
  path: `${path}/:id/approve`,
  parameters,
  summary: 'Approves an appeal: what was done is taken back, but not what was deleted.',
  handler: async (context, { id: appealId }) => answerOf(context, await approveAppeal(context, { appealId })),
});

const reject = staffEndpoint(rejectAppeal, {
  ...writing,
  method: 'POST',
  path: `${path}/:id/reject`,
  parameters,
  summary: 'Rejects an appeal.',
  handler: async (context, { id: appealId }) => answerOf(context, await rejectAppeal(context, { appealId })),
});

export const adminAppealEndpoints = [getAppeals, getAppeal, approve, reject];
