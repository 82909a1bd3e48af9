/** The invites of everybody, our own: Mastodon has them on its pages only. */
import { z } from 'zod';
import { endInvite, endInvites, listInvites } from '../../../operations/administration/invites.ts';
import { AdminInviteEntity, adminInviteEntity } from '../../entities/invites.ts';
import { EmptyEntity } from '../../entities/values.ts';
import { empty, json } from '../../http/answers.ts';
import { id, optionalId } from '../../http/parameter-types.ts';
import { boundsOf } from '../accounts/answers.ts';
import { staffEndpoint, staffPageAnswer, staffPageParameters } from './staff-endpoint.ts';

const path = '/api/murmuration/v1/admin/invites';

const getInvites = staffEndpoint(listInvites, {
  method: 'GET',
  path,
  scopes: ['admin:read'],
  parameters: z.object({ ...staffPageParameters, account_id: optionalId }),
  summary: 'Lists the invites of everybody, or of an account, latest first.',
  answer: z.array(AdminInviteEntity),
  handler(context, { account_id: creatorId, ...given }) {
    const page = listInvites(context, { creatorId, ...boundsOf(given), limit: given.limit });
    return staffPageAnswer(context.request, page, given.limit, (one) => adminInviteEntity(one, context.services));
  },
});

const deleteInvite = staffEndpoint(endInvite, {
  method: 'DELETE',
  path: `${path}/:id`,
  scopes: ['admin:write'],
  parameters: z.object({ id }),
  summary: 'Ends an invite: nobody signs up with it any more.',
  answer: AdminInviteEntity,
  handler: async (context, { id: inviteId }) =>
    json(adminInviteEntity(await endInvite(context, { inviteId }), context.services)),
});

const deleteInvites = staffEndpoint(endInvites, {
  method: 'DELETE',
  path,
  scopes: ['admin:write'],
  summary: 'Ends all invites that there are.',
  answer: EmptyEntity,
  async handler(context) {
    await endInvites(context, {});
    return empty();
  },
});

export const adminInviteEndpoints = [getInvites, deleteInvite, deleteInvites];
