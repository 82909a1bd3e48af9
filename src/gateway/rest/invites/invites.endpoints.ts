/** Invites of the user, our own: Mastodon has them on its pages only. And the answer about a code, as Mastodon has it. */
import { z } from 'zod';
import { endOwnInvite, listOwnInvites, makeInvite } from '../../../operations/invites/own-invites.ts';
import { InviteEntity, inviteEntity } from '../../entities/invites.ts';
import { EmptyEntity } from '../../entities/values.ts';
import { empty, json } from '../../http/answers.ts';
import { boolean, id, integer, pageParameters, text } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { answerPage } from '../accounts/answers.ts';
import { getInvite } from './get-invite.ts';

const path = '/api/murmuration/v1/invites';

const getInvites = endpoint({
  method: 'GET',
  path,
  authentication: 'user',
  scopes: ['read:accounts'],
  parameters: z.object(pageParameters(40, 80)),
  summary: 'Lists the invites of the user, latest first.',
  answer: z.array(InviteEntity),
  handler: (context, given) =>
    answerPage(context.request, given, (bounds) => listOwnInvites(context, bounds), inviteEntity),
});

const postInvite = endpoint({
  method: 'POST',
  path,
  authentication: 'user',
  scopes: ['write:accounts'],
  parameters: z.object({ max_uses: integer, expires_in: integer, autofollow: boolean, comment: text }),
  summary: 'Makes an invite; without `max_uses` for any number of people, without `expires_in` (seconds) for ever.',
  answer: InviteEntity,
  async handler(context, { max_uses: maxUses, expires_in: expiresIn, autofollow, comment }) {
    return json(inviteEntity(await makeInvite(context, { maxUses, expiresIn, autofollow, comment })));
  },
});

const deleteInvite = endpoint({
  method: 'DELETE',
  path: `${path}/:id`,
  authentication: 'user',
  scopes: ['write:accounts'],
  parameters: z.object({ id }),
  summary: 'Ends an invite: nobody signs up with it any more.',
  answer: EmptyEntity,
  async handler(context, { id: inviteId }) {
    await endOwnInvite(context, { inviteId });
    return empty();
  },
});

export const inviteEndpoints = [getInvites, postInvite, deleteInvite, getInvite];
